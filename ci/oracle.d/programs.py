# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""The table of programs."""

from heap import Heap
from program import Program

# Input that is the same wherever it is made.
WORDS = """
awk 'BEGIN { for (i = 1; i <= 5000; i++) print "word" (i * 7919) % 5003, i, "line of text" }' >words.txt
"""
TREE = """
mkdir -p tree/a/b tree/c
for i in $(seq 60); do echo "file $i" >tree/a/b/$i.txt; cp tree/a/b/$i.txt tree/c; done
find tree -exec touch -d 2024-01-01T00:00:00 {} +
"""
REPOSITORY = """
export GIT_AUTHOR_DATE=2024-01-01T00:00:00Z GIT_COMMITTER_DATE=2024-01-01T00:00:00Z
git init -q -b main .; git config user.name Author; git config user.email author@example.org
for i in $(seq 12); do seq $((i * 40)) >numbers-$((i % 4)).txt; git add .; git commit -qm "change $i"; done
echo more >>numbers-1.txt; echo new >untracked.txt
touch -d 2024-01-02T00:00:00Z *.txt; git update-index -q --refresh || true
"""
PYTHON_CHILDREN = """
cat >children.py <<'END'
import subprocess, threading
def numbers(n):
    print(n, len([str(i) for i in range(n * 1000)]), end=" ")
for n in range(1, 9):
    thread = threading.Thread(target=numbers, args=(n,)); thread.start(); thread.join()
print(subprocess.run(["sort", "children.py"], capture_output=True, text=True, check=True).stdout)
print(subprocess.run("expr 6 + 7 | cat", shell=True, capture_output=True, text=True).stdout)
END
"""
CMAKE_SCRIPT = """
cat >list.cmake <<'END'
foreach(i RANGE 300)
  list(APPEND all "item ${i}")
endforeach()
list(SORT all)
string(REGEX REPLACE "item" "x" all "${all}")
file(WRITE out.txt "${all}")
END
"""
CPP_SOURCE = """
cat >fold.cpp <<'END'
#include <tuple>
template <class... Numbers> constexpr auto sum(Numbers... numbers) { return (0 + ... + numbers); }
template <int N> struct Triangle { static constexpr int value = sum(N, Triangle<N - 1>::value); };
template <> struct Triangle<0> { static constexpr int value = 0; };
auto answer() { return std::make_tuple(Triangle<99>::value, sum(1, 2, 3)); }
END
"""
SQL = """
cat >load.sql <<'END'
create table t(a integer primary key, b text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 500) insert into t select i, hex(i * i) from n;
select count(*), max(b) from t;
END
"""
JAVA_SOURCE = """
cat >Sum.java <<'END'
class Sum {
  public static void main(String[] arguments) {
    long sum = 0;
    for (int i = 0; i < 999; i++) sum += i;
    System.out.println(sum);
  }
}
END
"""
NGINX_PAGES = """
mkdir pages; for i in $(seq 40); do seq $((i * 100)) >pages/$i.html; done
cat >nginx.conf <<'END'
daemon off; user root; worker_processes 2; pid nginx.pid; events { worker_connections 64; }
http { access_log off; gzip on; server { listen 127.0.0.1:{port}; root pages; }
  client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t; scgi_temp_path t; }
END
"""
INITDB = "initdb -D data -A trust -U postgres --no-sync --no-instructions"

REDIS_CHANGES = (
    ("times and pids", r"^\d+:[A-Z] \d+ \w+ \d{4} \d\d:\d\d:\d\d\.\d+", "PID TIME"),
    ("times and pids", r"(pid=|PID: )\d+", r"\1PID"),
)
POSTGRES_CHANGES = (
    ("times and pids", r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ UTC \[\d+\]", "TIME [PID]"),
    ("times and pids", r" at \d{4}-.*", " at TIME"),
    ("times and pids", r"PID \d+", "PID"),
    ("times and pids", r"=\d+\.\d+ s", "=TIME"),
)

# Why valgrind's totals of a program are not those of its images.
FORKS = "it forks: valgrind adds a parent's totals to its forked child's, and prints none for an image replaced by exec"
THREADS = "its threads take jobs in another order each time, so no two runs are equal"
CLOCK = "its timer and its background threads follow the clock, so no two runs are equal"
SEEDED = "its hash tables are seeded from the clock, so no two runs are equal"
ADDRESSES = ("cc1plus hashes addresses, which are random: one block of 32,768 bytes is there in some runs and not in "
             "others")
RUST = "Rust seeds its hash maps at random, so no two runs are equal; and exec replaces rustup by cargo"

TLS_MODULE = ("the hooks have thread-local storage, so the table of such modules that glibc makes by calloc for a new "
              "thread has one entry more: 288 bytes in place of 272")

PROGRAMS = [
    Program("ls", "ls -laR --time-style=long-iso tree/a", {"ls": "coreutils"}, TREE, quick=True),
    Program("id", "id root", {"id": "coreutils"}, quick=True),
    Program("sort", "sort -k1,1 -k2,2nr words.txt", {"sort": "coreutils"}, WORDS, quick=True),
    Program("sort --parallel", "sort --parallel=2 -S 20M -o sorted.txt many.txt", {"sort": "coreutils"},
            "awk 'BEGIN { for (i = 0; i < 300000; i++) print (i * 7919) % 300007 }' >many.txt",
            compare_files=("sorted.txt",), explained=TLS_MODULE, more=Heap(0, 0, 16)),
    Program("mawk", "mawk '{ s[$1 % 7] += $2 } END { for (i = 0; i < 7; i++) print i, s[i] }' words.txt",
            {"mawk": "mawk"}, WORDS, quick=True),
    Program("gawk", "gawk '{ seen[$1]++ } END { print length(seen) }' words.txt", {"gawk": "gawk"}, WORDS),
    Program("sed", r"sed -E 's/word([0-9]+) ([0-9]+)/\2-\1/; /99/d' words.txt", {"sed": "sed"}, WORDS, quick=True),
    Program("grep", "grep -rEc '(1|2)[0-9]?$' tree", {"grep": "grep"}, TREE, quick=True),
    # One folder deep: where it is in two at once, its table of them is hashed by inode, which differ from run to run.
    Program("find", r"find tree/a/b tree/c -name '*5*' -type f -printf '%p %s\n'", {"find": "findutils"}, TREE, quick=True),
    Program("diff", "diff -u --label before --label after words.txt other.txt", {"diff": "diffutils"},
            WORDS + "sed 's/word1/word2/' words.txt >other.txt"),
    Program("file", "file words.txt /bin/ls", {"file": "file"}, WORDS),
    Program("gzip", "gzip -9nk words.txt", {"gzip": "gzip"}, WORDS, compare_files=("words.txt.gz",), quick=True),
    Program("bzip2", "bzip2 -k words.txt", {"bzip2": "bzip2"}, WORDS, compare_files=("words.txt.bz2",)),
    Program("xz", "xz -9k words.txt", {"xz": "xz-utils"}, WORDS, compare_files=("words.txt.xz",)),
    Program("tar", "tar --owner=0 --group=0 --sort=name -cf tree.tar tree", {"tar": "tar"}, TREE,
            compare_files=("tree.tar",), quick=True),
    Program("tar with zstd", "tar --zstd --owner=0 --group=0 --sort=name -cf tree.tar.zst tree",
            {"tar": "tar", "zstd": "zstd"}, TREE, compare_files=("tree.tar.zst",), not_by_valgrind=FORKS),
    Program("bc", "bc -lq sums.bc", {"bc": "bc"},
            "echo 'scale=60; 4*a(1); for (i=1; i<50; i++) i^40; quit' >sums.bc"),
    Program("dc", "dc -e '80k 2v p 3 100 ^ p'", {"dc": "dc"}),

    Program("bash", "bash -c 'for i in {1..200}; do a[i]=$((i * i)); done; echo ${a[@]} | wc -c; (echo subshell)'",
            {"bash": "bash"}, not_by_valgrind=FORKS),
    Program("perl", r"""perl -ne '$n{$1}++ if /(word[0-9]+)/; END { print scalar(keys %n), "\n" }' words.txt""",
            {"perl": "perl"}, WORDS, environment={"PERL_HASH_SEED": "0"}),
    Program("lua", "lua5.4 -e 't = {}; for i = 1, 2000 do t[i] = tostring(i * i) end print(#table.concat(t))'",
            {"lua5.4": "lua5.4"}),
    Program("python3",
            """python3 -c 'import json, re; print(json.dumps([re.sub("[ab]", str(i), "abc") for i in range(999)]))'""",
            {"python3": "python3"}, environment={"PYTHONHASHSEED": "0"}),
    Program("python3, children", "python3 children.py", {"python3": "python3"}, PYTHON_CHILDREN, not_by_valgrind=FORKS),
    Program("node", """node -e 'm = new Map(); for (i = 0; i < 9999; i++) m.set(i, "k" + i); console.log(m)'""",
            {"node": "nodejs"}, not_by_valgrind=THREADS),
    Program("java", "java -XX:+UseSerialGC -XX:-UsePerfData Sum.java", {"java": "default-jdk-headless"}, JAVA_SOURCE,
            not_by_valgrind=THREADS),

    Program("git log", "git --no-pager log --stat --oneline", {"git": "git"}, REPOSITORY),
    # In some runs it writes what it learned to the index and in others not, unless it is told not to.
    Program("git status", "git status", {"git": "git"}, REPOSITORY, environment={"GIT_OPTIONAL_LOCKS": "0"}),
    Program("make", "make -s all", {"make": "make"},
            r"printf 'all: b\n\t@cat a b\nb: a\n\tcp a b\na:\n\techo made >a\n' >Makefile"),
    Program("cmake -P", "cmake -P list.cmake", {"cmake": "cmake"}, CMAKE_SCRIPT, compare_files=("out.txt",)),
    Program("g++", "g++ -std=c++17 -O1 -c fold.cpp -o fold.o", {"g++": "g++"}, CPP_SOURCE, compare_files=("fold.o",),
            not_by_valgrind=ADDRESSES),
    Program("ld", "ld -shared -o both.so one.o two.o", {"ld": "binutils", "gcc": "gcc"},
            """for i in one two; do echo "int $i(void) { return 1; }" >$i.c; gcc -fPIC -c $i.c; done""",
            compare_files=("both.so",)),
    Program("cargo", "cargo --version", {"cargo": "cargo"}, environment={"HOME": "{home}"}, not_by_valgrind=RUST),

    Program("sqlite3", "sqlite3 new.db '.read load.sql'", {"sqlite3": "sqlite3"}, SQL),
    Program("jq", "jq '[.[] | .a * 2] | add' numbers.json", {"jq": "jq"},
            """(echo '[{"a":0}'; seq -f ',{"a":%g}' 500; echo ']') >numbers.json"""),
    Program("xmllint", "xmllint --format --xpath 'count(//b)' tree.xml", {"xmllint": "libxml2-utils"},
            """(echo '<a>'; seq -f '<b n="%g">text &amp; more</b>' 300; echo '</a>') >tree.xml""",
            not_by_valgrind=SEEDED),
    Program("openssl", "openssl dgst -sha256 -r words.txt", {"openssl": "openssl"}, WORDS),
    Program("ssh-keygen", "ssh-keygen -lf key.pub", {"ssh-keygen": "openssh-client"},
            "echo ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl comment >key.pub"),
    Program("curl", "curl --version", {"curl": "curl"}),

    Program("redis-server", "redis-server --port {port} --bind 127.0.0.1 --save '' --daemonize no",
            {"redis-server": "redis-server", "redis-cli": "redis-tools", "redis-benchmark": "redis-tools"},
            changes=REDIS_CHANGES, allocators=("libjemalloc.so.2",), not_by_valgrind=CLOCK,
            ready="redis-cli -p {port} ping",
            load="redis-benchmark -q -p {port} -n 1000 -c 4 -t set,get,lpush,hset,mset",
            stop="redis-cli -p {port} shutdown nosave || true"),
    Program("nginx", "nginx -p . -c nginx.conf -e error.log", {"nginx": "nginx-light", "curl": "curl"}, NGINX_PAGES,
            compare_files=("*.out",), not_by_valgrind=FORKS,
            ready="test -s nginx.pid",
            load="curl -sSf 'http://127.0.0.1:{port}/[1-40].html' -H 'Accept-Encoding: gzip' -o '#1.out'",
            stop="kill -QUIT $(cat nginx.pid)"),
    Program("initdb", INITDB, {"initdb": "postgresql"}, user="postgres", not_by_valgrind=FORKS),
    Program("postgres", "postgres -D data -h 127.0.0.1 -p {port} -k .",
            {"postgres": "postgresql", "psql": "postgresql-client"}, INITDB, user="postgres", changes=POSTGRES_CHANGES,
            not_by_valgrind=FORKS,
            ready="grep -q ready data/postmaster.pid",
            load="psql -h 127.0.0.1 -p {port} -U postgres -c 'create table t as select i, md5(i::text) as h "
                 "from generate_series(1, 2000) i' -c 'select count(distinct h) from t' -c 'create index on t (h)'",
            stop="kill -INT $(head -1 data/postmaster.pid)"),
]
