// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/blindness.hpp"

#include "made_elf.hpp"
#include "process/executable.hpp"
#include "scratch_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <elf.h>
#include <sys/stat.h>

namespace allocgate {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

constexpr const char* k_loader = "/lib64/ld-linux-x86-64.so.2";

class Blindness : public ::testing::Test {
protected:
  [[nodiscard]] std::filesystem::path write(const MadeElf& elf) const {
    return m_scratch.write("program", elf.bytes());
  }
  [[nodiscard]] const ScratchFolder& scratch() const { return m_scratch; }

private:
  ScratchFolder m_scratch;
};

TEST_F(Blindness, HasNothingAgainstAnOrdinaryProgram) {
  const auto file = write({.loader = k_loader, .needed = {"libc.so.6"}, .symbols = {{"malloc"}}});
  EXPECT_EQ(reason_not_to_start(file), std::nullopt);
  EXPECT_EQ(reason_for_blindness(file), std::nullopt);
  EXPECT_EQ(reason_for_shadow(file), std::nullopt);
  EXPECT_THAT(uncounted_heap_notes(file), ElementsAre());
}

TEST_F(Blindness, RefusesStaticPrograms) {
  const auto file = write({.symbols = {{"malloc", true}, {"__libc_malloc", true}}});
  EXPECT_THAT(reason_not_to_start(file),
              Optional(AllOf(HasSubstr("program is static:"), HasSubstr("without -static"))));
  EXPECT_EQ(reason_for_blindness(file), reason_not_to_start(file));
}

TEST_F(Blindness, TellsAStaticProgramWithItsOwnAllocator) {
  const auto file = write({.symbols = {{"malloc", true}, {"mallocx", true}}});
  EXPECT_THAT(reason_not_to_start(file), Optional(HasSubstr("is static and brings its own allocator")));
}

TEST_F(Blindness, TellsAStaticGoProgram) {
  for (const char* section : {".go.buildinfo", ".note.go.buildid"}) {
    EXPECT_THAT(reason_not_to_start(write({.section = section})), Optional(HasSubstr("a Go program")));
  }
}

TEST_F(Blindness, RefusesSanitizersBeforeTheyCrash) {
  struct Case {
    MadeElf elf;
    const char* name;
  };
  for (const auto& [elf, name] :
       {Case{{.loader = k_loader, .needed = {"libasan.so.8", "libc.so.6"}}, "AddressSanitizer"},
        Case{{.loader = k_loader, .needed = {"libtsan.so.2"}}, "ThreadSanitizer"},
        Case{{.loader = k_loader, .symbols = {{"__asan_init", true}}}, "AddressSanitizer"},
        Case{{.loader = k_loader, .symbols = {{"__tsan_init", true}}}, "ThreadSanitizer"},
        Case{{.loader = k_loader, .symbols = {{"__msan_init"}}}, "MemorySanitizer"}}) {
    EXPECT_THAT(reason_not_to_start(write(elf)), Optional(AllOf(HasSubstr(name), HasSubstr("without -fsanitize"))));
  }
}

TEST_F(Blindness, TellsOtherClassesAndMachines) {
#if defined(__x86_64__)
  const unsigned narrow = EM_386;
#else
  const unsigned narrow = EM_ARM;
#endif
  EXPECT_THAT(reason_not_to_start(write({.machine = narrow, .wide = false})), Optional(HasSubstr("a 32-bit program")));
  const auto foreign = write({.loader = k_loader, .machine = EM_RISCV});
  EXPECT_EQ(reason_not_to_start(foreign), std::nullopt) << "the system's own refusal is the better one";
  EXPECT_THAT(reason_for_blindness(foreign), Optional(HasSubstr("another processor (RISC-V)")));
  EXPECT_THAT(reason_for_exec_failure(foreign), Optional(HasSubstr("another processor (RISC-V)")));
}

TEST_F(Blindness, StartsMuslPrograms) {
  const auto file = write({.loader = "/lib/ld-musl-x86_64.so.1"});
  EXPECT_TRUE(inspect_executable(file).musl);
  EXPECT_EQ(reason_not_to_start(file), std::nullopt);
  EXPECT_THAT(reason_for_blindness(file), Optional(HasSubstr("a musl program")));
}

TEST_F(Blindness, TellsProgramsThatChangeTheirUser) {
  const auto file = write({.loader = k_loader});
  ASSERT_EQ(::chmod(file.c_str(), 04755), 0);
  EXPECT_EQ(reason_not_to_start(file), std::nullopt) << "for its own user it is an ordinary program";
  EXPECT_THAT(reason_for_blindness(file), Optional(HasSubstr("changes its user")));
}

TEST_F(Blindness, TellsAProgramThatShadowsTheHooks) {
  const auto file = write({.loader = k_loader, .symbols = {{"malloc", true}}});
  EXPECT_EQ(reason_not_to_start(file), std::nullopt);
  EXPECT_THAT(reason_for_shadow(file), Optional(HasSubstr("its own malloc")));
  EXPECT_EQ(reason_for_hidden_shadow(file), std::nullopt) << "the hooks know whether it leads back to them";
  const auto hidden = write({.loader = k_loader, .symbols = {{"malloc", true}}, .stripped = false});
  EXPECT_THAT(reason_for_hidden_shadow(hidden), Optional(HasSubstr("its own malloc")));
}

TEST_F(Blindness, StartsALoaderThatIsGivenAProgram) {
  const auto loader = write({.loader = k_loader, .symbols = {{"_dl_debug_state", true}, {"malloc", true}}});
  EXPECT_EQ(inspect_executable(loader).kind, ExecutableKind::dynamic_elf);
  EXPECT_EQ(reason_for_shadow(loader), std::nullopt);
  const std::filesystem::path own = inspect_executable("/bin/sh").interpreter;
  EXPECT_EQ(reason_not_to_start(own), std::nullopt) << own;
}

TEST_F(Blindness, NamesHeapsThatAreNotMalloc) {
  EXPECT_THAT(uncounted_heap_notes(write({.loader = k_loader, .section = ".go.buildinfo"})),
              ElementsAre(HasSubstr("is a Go program: its own heap is not malloc")));
  EXPECT_THAT(uncounted_heap_notes(write({.loader = k_loader, .needed = {"libjli.so"}})),
              ElementsAre(HasSubstr("Java")));
  EXPECT_THAT(uncounted_heap_notes(write({.loader = k_loader, .symbols = {{"_ZN2v87Isolate5EnterEv", true}}})),
              ElementsAre(HasSubstr("V8")));
}

TEST_F(Blindness, NamesAllocatorsThatAreLinkedIn) {
  EXPECT_THAT(uncounted_heap_notes(write({.loader = k_loader, .symbols = {{"_rjem_malloc", true}}})),
              ElementsAre(HasSubstr("has jemalloc linked in")));
  EXPECT_THAT(uncounted_heap_notes(write({.loader = k_loader, .symbols = {{"mi_malloc"}}})),
              ElementsAre(HasSubstr("has mimalloc linked in")));
}

TEST_F(Blindness, NamesAnOperatorNewOfItsOwn) {
  EXPECT_THAT(uncounted_heap_notes(write({.loader = k_loader, .symbols = {{"_Znwm", true}}})),
              ElementsAre(HasSubstr("its own operator new")));
  EXPECT_THAT(uncounted_heap_notes(write({.loader = k_loader, .symbols = {{"_Znwm"}}})), ElementsAre());
  const MadeElf linked_in{.loader = k_loader, .symbols = {{"_Znwm", true}, {"_ZSt15get_new_handlerv", true}}};
  EXPECT_THAT(uncounted_heap_notes(write(linked_in)), ElementsAre()) << "the C++ library's own";
}

TEST_F(Blindness, FollowsTheInterpreter) {
  const auto interpreter = scratch().write("interpreter", MadeElf{}.bytes());
  const auto script = scratch().write("script", "#!" + interpreter.string() + "\n");
  EXPECT_THAT(reason_for_blindness(script), Optional(HasSubstr("interpreter is static")));
  const auto loop = scratch().write("loop", "#!" + (scratch().path() / "loop").string() + "\n");
  EXPECT_EQ(reason_for_blindness(loop), std::nullopt);
}

TEST_F(Blindness, NamesWhatIsMissingToStart) {
  const auto script = scratch().write("script", "#!/no/such/interpreter\n");
  EXPECT_THAT(reason_for_exec_failure(script), Optional(HasSubstr("interpreter /no/such/interpreter does not exist")));
  EXPECT_THAT(reason_for_exec_failure(write({.loader = "/no/such/loader"})),
              Optional(HasSubstr("loader /no/such/loader does not exist")));
  EXPECT_EQ(reason_for_exec_failure("/proc/self/exe"), std::nullopt);
}

}  // namespace
}  // namespace allocgate
