/*
 * The pass plugin that clang loads (-fpass-plugin): the thinnest shim around the instrumenter, which is C against LLVM's
 * C API.  The pass runs after optimisation, at -O0 too.  clang's own ThreadSanitizer pass comes after it and finds no
 * function left to instrument.  Another pass runs before optimisation (named.h).
 */
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/CommandLine.h>
#include <string>

extern "C" {
#include "instrument/address.h"
#include "instrument/assembly.h"
#include "instrument/atomics.h"
#include "instrument/instrument.h"
#include "instrument/keep.h"
#include "instrument/named.h"
#include "instrument/path.h"
#include "instrument/sites.h"
}

namespace {
llvm::cl::opt<bool> keep_ir("heddle-keep-ir", llvm::cl::desc("keep the IR in a section of the object"));

/* The IR as the instrumenter sees it, as text for the assembler. */
std::string kept(llvm::Module &m)
{
        char *text = keep_ir ? keep_section(llvm::wrap(&m)) : nullptr;
        std::string s = text ? text : "";

        free(text);
        return s;
}

struct Keep : llvm::PassInfoMixin<Keep> {
        llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &)
        {
                if (path_wanted())
                        address_keep(llvm::wrap(&m));
                bool changed = atomics_expand(llvm::wrap(&m));
                changed |= named_keep(llvm::wrap(&m));
                return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
        }
};

struct Instrument : llvm::PassInfoMixin<Instrument> {
        llvm::PreservedAnalyses run(llvm::Module &m, llvm::ModuleAnalysisManager &)
        {
                std::string ir = kept(m);
                bool changed = assembly_mark(llvm::wrap(&m));

                sites_record(llvm::wrap(&m));
                if (!ir.empty())
                        m.appendModuleInlineAsm(ir);
                changed |= instrument_module(llvm::wrap(&m));
                return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
        }
        static bool isRequired()
        {
                return true; /* functions marked optnone, too */
        }
};
} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo()
{
        return {LLVM_PLUGIN_API_VERSION, "heddle", HEDDLE_VERSION,
                [](llvm::PassBuilder &builder) {
                        builder.registerPipelineStartEPCallback(
                                [](llvm::ModulePassManager &passes, auto &&...) { passes.addPass(Keep()); });
                        /* later versions of LLVM hand over more than a level */
                        builder.registerOptimizerLastEPCallback(
                                [](llvm::ModulePassManager &passes, auto &&...) { passes.addPass(Instrument()); });
                }};
}
