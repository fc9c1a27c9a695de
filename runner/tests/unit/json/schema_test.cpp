// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "example_documents.hpp"
#include "example_searches.hpp"
#include "example_stacks.hpp"

#include "base/file.hpp"
#include "json/documents.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace allocgate {
namespace {

using nlohmann::json;

// Goes through a document and its schema at once: every field of the document is in the schema, every required one is
// there, and at the end every field of the schema was seen, so that neither can have one that the other has not.
class Walk {
public:
  explicit Walk(const json& schema) : m_schema(schema) { collect(schema, ""); }

  void go(const json& value) { go(value, m_schema, "#"); }

  [[nodiscard]] std::set<std::string> never_seen() const {
    std::set<std::string> rest = m_declared;
    for (const std::string& seen : m_seen) {
      rest.erase(seen);
    }
    return rest;
  }

private:
  // Properties are known by the place in the schema, so a shared definition counts once.
  void collect(const json& node, const std::string& place) {
    if (!node.is_object()) {
      return;
    }
    for (const auto& [key, value] : node.items()) {
      if (key == "properties") {
        for (const auto& [name, property] : value.items()) {
          m_declared.insert(place + "/properties/" + name);
          collect(property, place + "/properties/" + name);
        }
      } else if (key == "$defs") {
        for (const auto& [name, definition] : value.items()) {
          collect(definition, place + "/$defs/" + name);
        }
      } else if (key == "items" || key == "additionalProperties") {
        collect(value, place + "/" + key);
      }
    }
  }

  void go(const json& value, const json& schema, const std::string& place) {
    if (schema.empty()) {
      return;  // anything
    }
    if (schema.contains("$ref")) {
      const std::string target = schema["$ref"];
      go(value, m_schema.at(json::json_pointer(target.substr(1))), target);
      return;
    }
    if (value.is_array() && schema.contains("items")) {
      for (const json& element : value) {
        go(element, schema["items"], place + "/items");
      }
    }
    if (!value.is_object()) {
      return;
    }
    for (const json& required : schema.value("required", json::array())) {
      EXPECT_TRUE(value.contains(required)) << place << " requires " << required;
    }
    const json properties = schema.value("properties", json::object());
    for (const auto& [name, member] : value.items()) {
      if (properties.contains(name)) {
        m_seen.insert(place.substr(1) + "/properties/" + name);
        go(member, properties[name], place + "/properties/" + name);
      } else {
        const json more = schema.value("additionalProperties", json(false));
        ASSERT_TRUE(more.is_object()) << name << " is not in the schema at " << place;
        go(member, more, place + "/additionalProperties");
      }
    }
  }

  const json& m_schema;
  std::set<std::string> m_declared;
  std::set<std::string> m_seen;
};

/// Every field that `documents` write is in the schema, and each of its fields is in one of them.
void check(const std::string& name, const std::vector<std::string>& documents) {
  const std::filesystem::path file = std::filesystem::path(ALLOCGATE_SCHEMA_FOLDER) / (name + ".schema.json");
  const json schema = json::parse(read_file(file));
  EXPECT_EQ(schema.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
  Walk walk(schema);
  for (const std::string& document : documents) {
    const json value = json::parse(document);
    EXPECT_EQ(schema.at("properties").at("schema").at("const"), value.at("schema"));
    walk.go(value);
  }
  EXPECT_EQ(walk.never_seen(), std::set<std::string>{}) << "fields of " << file << " that nothing writes";
}

TEST(Schema, HasTheFieldsOfAResult) {
  check("result", {result_to_json(full_result())});
}
TEST(Schema, HasTheFieldsOfABaseline) {
  check("baseline", {baseline_to_json(full_baseline())});
}
TEST(Schema, HasTheFieldsOfAConfiguration) {
  std::string document = configuration_to_json(full_configuration());
  check("configuration", {document.insert(document.find('{') + 1, "\"$schema\": \"configuration.schema.json\",")});
}
TEST(Schema, HasTheFieldsOfAJudgement) {
  check("judgement", {judgement_to_json(full_judgement())});
}
TEST(Schema, HasTheFieldsOfAComparison) {
  check("comparison", {comparison_to_json(full_comparison())});
}
TEST(Schema, HasTheFieldsOfABisection) {
  check("bisection", {bisection_to_json(full_bisection()), bisection_to_json(full_toolchain_bisection())});
}
TEST(Schema, HasTheFieldsOfAMatrix) {
  check("matrix", {matrix_to_json(full_matrix(), {{"The revision moved it."}})});
}
TEST(Schema, HasTheFieldsOfAStackDiff) {
  check("stack_diff", {stack_documents().at("stack_diff.json")});
}
TEST(Schema, HasTheFieldsOfStacks) {
  const std::map<std::string, std::string> documents = stack_documents();
  check("stacks", {documents.at("stacks.json"), documents.at("stacks.groups.json"), documents.at("stacks.tree.json")});
}

}  // namespace
}  // namespace allocgate
