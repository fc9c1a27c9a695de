// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include <string>

// The request and the response of SwiftNIO's HTTP workloads, made anew each time as a server does.
namespace allocgate::suite {

inline constexpr char k_target[] = "/allocation-test-1";
inline constexpr std::size_t k_body_size = 100;

inline std::string response_text() {
  constexpr std::size_t k_letters = 26;
  std::string text;
  for (std::size_t index = 0; index < k_body_size; ++index) {
    text.push_back(static_cast<char>('a' + index % k_letters));
  }
  return text;
}

inline boost::beast::http::response<boost::beast::http::string_body> make_response() {
  namespace http = boost::beast::http;
  constexpr unsigned k_http_1_1 = 11;
  constexpr int k_extra_headers = 3;
  http::response<http::string_body> response{http::status::ok, k_http_1_1};
  response.set(http::field::content_length, "100");
  for (int header = 0; header < k_extra_headers; ++header) {
    response.insert("X-Random-Extra-Header", std::to_string(header));
  }
  response.body() = response_text();
  return response;
}

inline boost::beast::http::request<boost::beast::http::empty_body> make_request() {
  namespace http = boost::beast::http;
  constexpr unsigned k_http_1_1 = 11;
  http::request<http::empty_body> request{http::verb::get, k_target, k_http_1_1};
  request.set(http::field::host, "foo.com");
  return request;
}

inline bool is_answer(const boost::beast::http::response<boost::beast::http::string_body>& response) {
  return response.result() == boost::beast::http::status::ok && response.body().size() == k_body_size;
}

}  // namespace allocgate::suite
