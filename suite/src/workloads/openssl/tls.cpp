// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// TLS 1.3 in memory: a client and a server over a pair of BIOs, with a P-256 key made before the window.
//
// openssl/1000_tls_records: 1000 messages of 1 KiB written by the client and read by the server, over a connection that
// was made before the window: four allocations a message, in the cipher of either side. openssl/20_tls_handshakes: 20
// full handshakes that choose "h2" by ALPN, with the end of the connection.
//
// counts per iteration of openssl/1000_tls_records: 4 000 allocations, 160 000 bytes (openssl 3.0.22)
// counts per iteration of openssl/20_tls_handshakes: 59 000 to 59 100 allocations (openssl 3.0.22)
// not exact: signatures are random, and a byte or two shorter where a number begins with zeros

#include "workloads/common/description.hpp"
#include "workloads/common/measure.hpp"
#include "workloads/common/package_version.hpp"

#include <allocgate/benchmark.hpp>

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <cstring>
#include <memory>
#include <string>

namespace {

using namespace allocgate::suite;
using Context = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;

constexpr unsigned char k_protocols[] = "\x02h2\x08http/1.1";
constexpr std::size_t k_message_size = 1024;

// Chooses the first protocol that the client offers.
int choose_protocol(SSL* /*server*/, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
                    unsigned /*offered_size*/, void* /*nothing*/) {
  *size = offered[0];
  *chosen = offered + 1;
  return SSL_TLSEXT_ERR_OK;
}

struct Contexts {
  Contexts() {
    constexpr long k_an_hour = 3600;
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* certificate = X509_new();
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate), k_an_hour);
    X509_set_pubkey(certificate, key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
    X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
    X509_sign(certificate, key, EVP_sha256());
    SSL_CTX_use_certificate(server.get(), certificate);
    SSL_CTX_use_PrivateKey(server.get(), key);
    X509_free(certificate);
    EVP_PKEY_free(key);
    SSL_CTX_set_alpn_select_cb(server.get(), choose_protocol, nullptr);
    SSL_CTX_set_alpn_protos(client.get(), static_cast<const unsigned char*>(k_protocols), sizeof(k_protocols) - 1);
    for (SSL_CTX* context : {server.get(), client.get()}) {
      SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    }
  }

  Context server{SSL_CTX_new(TLS_server_method()), &SSL_CTX_free};
  Context client{SSL_CTX_new(TLS_client_method()), &SSL_CTX_free};
};

// Two ends after their handshake.
class Connection {
public:
  explicit Connection(const Contexts& contexts)
      : m_server(SSL_new(contexts.server.get())), m_client(SSL_new(contexts.client.get())) {
    constexpr int k_most_steps = 10;
    BIO* server_side = nullptr;
    BIO* client_side = nullptr;
    BIO_new_bio_pair(&server_side, 0, &client_side, 0);
    SSL_set_bio(m_server, server_side, server_side);
    SSL_set_bio(m_client, client_side, client_side);
    SSL_set_accept_state(m_server);
    SSL_set_connect_state(m_client);
    for (int step = 0; step < k_most_steps && !m_connected; ++step) {
      const int client = SSL_do_handshake(m_client);
      m_connected = SSL_do_handshake(m_server) == 1 && client == 1;
    }
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() {
    SSL_free(m_client);
    SSL_free(m_server);
  }

  [[nodiscard]] bool connected_with_h2() const {
    const unsigned char* chosen = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(m_client, &chosen, &size);
    return m_connected && size == 2 && std::memcmp(chosen, "h2", 2) == 0;
  }

  // Whether a message of the client came to the server.
  bool pass_message() {
    static const std::array<char, k_message_size> message{};
    std::array<char, k_message_size> received{};
    return SSL_write(m_client, message.data(), k_message_size) == k_message_size &&
           SSL_read(m_server, received.data(), k_message_size) == k_message_size;
  }

private:
  SSL* m_server;
  SSL* m_client;
  bool m_connected = false;
};

allocgate::WorkloadDescription openssl_row(std::string exercises) {
  return exact("openssl", package_version({"libssl3", "libssl3t64"}, OpenSSL_version(OPENSSL_VERSION_STRING)),
               std::move(exercises));
}

void records(benchmark::State& state) {
  constexpr int k_messages = 1000;
  const Contexts contexts;
  Connection connection(contexts);
  measure_after_first_use(state, [&]() -> const char* {
    for (int message = 0; message < k_messages; ++message) {
      if (!connection.pass_message()) {
        return "a message did not come";
      }
    }
    return nullptr;
  });
}

void handshakes(benchmark::State& state) {
  constexpr int k_handshakes = 20;
  const Contexts contexts;
  measure_after_first_use(state, [&]() -> const char* {
    for (int handshake = 0; handshake < k_handshakes; ++handshake) {
      Connection connection(contexts);
      if (!connection.connected_with_h2() || !connection.pass_message()) {
        return "a handshake did not end with h2";
      }
    }
    return nullptr;
  });
}

ALLOCGATE_WORKLOAD(records, "openssl/1000_tls_records", (openssl_row("TLS 1.3 in memory: 1000 messages of 1 KiB")));
ALLOCGATE_WORKLOAD(handshakes, "openssl/20_tls_handshakes",
                   (within_percent(openssl_row("TLS 1.3 in memory: 20 handshakes with ALPN"))));

}  // namespace
