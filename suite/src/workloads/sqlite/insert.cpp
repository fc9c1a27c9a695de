// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// sqlite/insert_1000: 1000 rows into a new table of a database in memory, in one transaction, with one prepared
// statement and values bound by their index. An iteration opens the database, inserts, checks the rows and closes it;
// an insert is two allocations, memory that its execution takes and its reset gives back, and now and then a page.
//
// What each variant changes: /exec prepares a statement for each row from text; /bind_by_name looks the place of each
// value up by its name, which costs time and no allocation; /single_transactions commits each row alone, with a journal
// of its own: six more; /file is a database in a file, at a path of fixed length.
//
// sqlite/select_1000_sorted: 1000 rows read in the order of a column without an index: the sorter's memory.
//
// counts per iteration of sqlite/insert_1000: 2 399 allocations, 604 944 bytes (sqlite 3.40.1)
// counts per iteration of sqlite/insert_1000/exec: 22 381 allocations, 5 420 504 bytes (sqlite 3.40.1)
// counts per iteration of sqlite/insert_1000/bind_by_name: 2 399 allocations, 604 944 bytes (sqlite 3.40.1)
// counts per iteration of sqlite/insert_1000/single_transactions: 8 405 allocations, 6 292 352 bytes (sqlite 3.40.1)
// counts per iteration of sqlite/insert_1000/file: 2 384 allocations, 643 816 bytes (sqlite 3.40.1)
// counts per iteration of sqlite/select_1000_sorted: 50 allocations, 70 064 bytes (sqlite 3.40.1)

#include "workloads/common/description.hpp"
#include "workloads/common/measure.hpp"
#include "workloads/common/package_version.hpp"

#include <allocgate/benchmark.hpp>

#include <sqlite3.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

using namespace allocgate::suite;

constexpr int k_rows = 1000;
constexpr char k_in_memory[] = ":memory:";
constexpr char k_name[] = "some name value";

using Database = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;
using Statement = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

Database open_database(const char* path) {
  sqlite3* database = nullptr;
  sqlite3_open(path, &database);
  return {database, &sqlite3_close};
}

Statement prepare(const Database& database, const char* text) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database.get(), text, -1, &statement, nullptr);
  return {statement, &sqlite3_finalize};
}

bool execute(const Database& database, const char* text) {
  return sqlite3_exec(database.get(), text, nullptr, nullptr, nullptr) == SQLITE_OK;
}

struct How {
  bool prepared = true;
  bool by_name = false;
  bool one_transaction = true;
};

bool insert_prepared(const Database& database, const How& how) {
  const Statement insert = prepare(database, "insert into t(name, value) values(:name, :value)");
  for (int row = 0; row < k_rows; ++row) {
    const int name = how.by_name ? sqlite3_bind_parameter_index(insert.get(), ":name") : 1;
    const int value = how.by_name ? sqlite3_bind_parameter_index(insert.get(), ":value") : 2;
    sqlite3_bind_text(insert.get(), name, static_cast<const char*>(k_name), -1, SQLITE_STATIC);
    sqlite3_bind_double(insert.get(), value, row);
    if (sqlite3_step(insert.get()) != SQLITE_DONE) {
      return false;
    }
    sqlite3_reset(insert.get());
  }
  return true;
}

bool insert_from_text(const Database& database) {
  for (int row = 0; row < k_rows; ++row) {
    if (!execute(database, "insert into t(name, value) values('some name value', 1.5)")) {
      return false;
    }
  }
  return true;
}

const char* insert_rows(const char* path, const How& how) {
  const Database database = open_database(path);
  if (!execute(database, "pragma synchronous = off") ||
      !execute(database, "create table t(id integer primary key, name text, value real)")) {
    return "the database could not be made";
  }
  if (how.one_transaction) {
    execute(database, "begin");
  }
  if (!(how.prepared ? insert_prepared(database, how) : insert_from_text(database))) {
    return "a row was not inserted";
  }
  if (how.one_transaction) {
    execute(database, "commit");
  }
  const Statement count = prepare(database, "select count(*) from t");
  return sqlite3_step(count.get()) == SQLITE_ROW && sqlite3_column_int(count.get(), 0) == k_rows ? nullptr
                                                                                                 : "rows are missing";
}

const char* select_sorted(const Database& database) {
  const Statement select = prepare(database, "select id, name from t order by name");
  int rows = 0;
  while (sqlite3_step(select.get()) == SQLITE_ROW) {
    ++rows;
  }
  return rows == k_rows ? nullptr : "rows are missing";
}

allocgate::WorkloadDescription sqlite_row(std::string exercises) {
  return exact("sqlite", package_version({"libsqlite3-0"}, sqlite3_libversion()), std::move(exercises));
}

void insert_in_memory(benchmark::State& state, const How& how) {
  measure_after_first_use(state, [&] { return insert_rows(static_cast<const char*>(k_in_memory), how); });
}

void prepared(benchmark::State& state) {
  insert_in_memory(state, {});
}

void exec(benchmark::State& state) {
  insert_in_memory(state, {.prepared = false});
}

void bind_by_name(benchmark::State& state) {
  insert_in_memory(state, {.by_name = true});
}

void single_transactions(benchmark::State& state) {
  insert_in_memory(state, {.one_transaction = false});
}

void file(benchmark::State& state) {
  // Not below $TMPDIR: SQLite copies the path, so it has to be as long everywhere.
  std::string folder = "/tmp/allocgate-sqlite-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) {
    state.SkipWithError("no folder could be made in /tmp");
    return;
  }
  const std::string path = folder + "/rows.db";
  measure_after_first_use(state, [&] {
    unlink(path.c_str());
    return insert_rows(path.c_str(), {});
  });
  unlink(path.c_str());
  rmdir(folder.c_str());
}

void sorted(benchmark::State& state) {
  const Database database = open_database(static_cast<const char*>(k_in_memory));
  execute(database, "create table t(id integer primary key, name text)");
  execute(database,
          "with recursive c(x) as (select 1 union all select x + 1 from c where x < 1000) "
          "insert into t select x, 'name' || x from c");
  measure_after_first_use(state, [&] { return select_sorted(database); });
}

ALLOCGATE_WORKLOAD(prepared, "sqlite/insert_1000", (sqlite_row("bulk insert: one transaction, prepared, by index")));
ALLOCGATE_WORKLOAD(exec, "sqlite/insert_1000/exec", (sqlite_row("the same from text, against a prepared statement")));
ALLOCGATE_WORKLOAD(bind_by_name, "sqlite/insert_1000/bind_by_name",
                   (sqlite_row("the same with values bound by name, against by index")));
ALLOCGATE_WORKLOAD(single_transactions, "sqlite/insert_1000/single_transactions",
                   (sqlite_row("the same with a transaction for each row, against one for all")));
ALLOCGATE_WORKLOAD(file, "sqlite/insert_1000/file", (sqlite_row("the same into a file, against memory")));
ALLOCGATE_WORKLOAD(sorted, "sqlite/select_1000_sorted", (sqlite_row("a query: 1000 rows sorted")));

}  // namespace
