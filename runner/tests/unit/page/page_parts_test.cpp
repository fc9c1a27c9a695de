// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "page/page_parts.hpp"
#include "page/page_sources.hpp"

#include <gmock/gmock.h>

#include <array>

namespace allocgate {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HtmlEscaped, LeavesNothingThatMeansSomething) {
  EXPECT_EQ(html_escaped("</script><!-- & \"' -->"), "&lt;/script&gt;&lt;!-- &amp; &quot;&#39; --&gt;");
  EXPECT_EQ(html_escaped("a\nb\tc\rd"), "a&#10;b&#9;c&#13;d");
  EXPECT_EQ(html_escaped(std::string_view("a\0b\x1b\x7f", 5)), "a\uFFFDb\uFFFD\uFFFD");
}

TEST(HtmlEscaped, KeepsUtf8AndReplacesWhatIsNot) {
  EXPECT_EQ(html_escaped("größe 日本 🚀"), "größe 日本 🚀");
  EXPECT_EQ(html_escaped("a\xff\xfe z"), "a\uFFFD\uFFFD z");
  EXPECT_EQ(html_escaped("\xc3"), "\uFFFD");                        // cut
  EXPECT_EQ(html_escaped("\xc0\xbc"), "\uFFFD\uFFFD");              // "<" in two bytes
  EXPECT_EQ(html_escaped("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");    // half of a pair
  EXPECT_EQ(html_escaped("\xe2\x82<b>"), "\uFFFD\uFFFD&lt;b&gt;");  // a cut character eats no tag
  EXPECT_EQ(html_escaped("\xf0\x9f\x9a\"x"), "\uFFFD\uFFFD\uFFFD&quot;x");
}

TEST(Base64, IsRfc4648) {
  // The test vectors of its section 10.
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe"), "//4=");
}

TEST(PolicyHash, IsTheDigestInBase64) {
  // SHA-256 of nothing.
  EXPECT_EQ(policy_hash("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
}

TEST(Filled, LooksAtNothingTwice) {
  const auto fillings = std::to_array<Filling>({{"a", "{{b}}"}, {"b", "x"}});
  EXPECT_EQ(filled("1 {{a}} 2 {{b}} 3 {{", fillings), "1 {{b}} 2 x 3 {{");
}

TEST(PageSources, AreWholeAndEndNoElement) {
  const PageSources& sources = page_sources();
  EXPECT_THAT(std::string(sources.html), testing::StartsWith("<!doctype html>"));
  EXPECT_THAT(std::string(sources.html), HasSubstr("</html>"));
  EXPECT_THAT(std::string(sources.style), HasSubstr("@media print"));
  EXPECT_THAT(std::string(sources.script), HasSubstr("new Page("));
  EXPECT_THAT(std::string(sources.style), Not(HasSubstr("</")));
  for (const char* end : {"</script", "<!--", "<script"}) {
    EXPECT_THAT(std::string(sources.script), Not(HasSubstr(end)));
  }
}

}  // namespace
}  // namespace allocgate
