/*
 * Which functions of the C++ library a verdict covers although their code is not watched: those that do thread operations,
 * which the runtime performs; those that print, whose accesses the runtime announces (rt/calls/cxx_stream.c); those that make, throw and destroy exceptions; and those without effect on
 * memory that threads share.
 *
 * All others may change objects of the program out of sight: nodes of std::map and std::list, characters of std::string.
 */
#include <string.h>

#include "binary/imports.h"

/* Beginnings of mangled names. */
static const char *const modelled[] = {
        /* the language: exceptions, casts, static locals, memory */
        "__cxa_", "__gxx_personality", "__dynamic_cast", "_Zn", "_Zd", "_ZSt9terminate", "_ZSt10unexpected",
        "_ZSt13set_terminate", "_ZSt13get_terminate", "_ZSt15set_new_handler", "_ZSt15get_new_handler",
        "_ZSt18uncaught_exception", "_ZSt19uncaught_exception", "_ZSt17current_exception", "_ZSt17rethrow_exception",
        "_ZNSt15__exception_ptr", "_ZNKSt15__exception_ptr", "_ZNSt9exception", "_ZNKSt9exception", "_ZNSt9bad_alloc",
        "_ZNKSt9bad_alloc", "_ZNSt8bad_cast", "_ZNKSt8bad_cast", "_ZNSt10bad_typeid", "_ZNKSt10bad_typeid",
        "_ZNSt13bad_exception", "_ZNKSt13bad_exception", "_ZNSt20bad_array_new_length", "_ZNKSt20bad_array_new_length",
        "_ZNSt12bad_weak_ptr", "_ZNKSt12bad_weak_ptr", "_ZNSt17bad_function_call", "_ZNKSt17bad_function_call",
        "_ZNSt11logic_error", "_ZNKSt11logic_error", "_ZNSt13runtime_error", "_ZNKSt13runtime_error",
        "_ZNSt12domain_error", "_ZNSt16invalid_argument", "_ZNSt12length_error", "_ZNSt12out_of_range",
        "_ZNSt11range_error", "_ZNSt14overflow_error", "_ZNSt15underflow_error", "_ZNSt12system_error",
        "_ZNKSt12system_error", "_ZNSt12future_error", "_ZNKSt12future_error", "_ZNSt9type_info", "_ZNKSt9type_info",
        "_ZNSaIcE", "_ZSt11_Hash_bytes", "_ZNSt9nested_exception", "_ZNKSt9nested_exception",
        /* threads, clocks */
        "_ZNSt6thread", "_ZNSt18condition_variable", "_ZNSt22condition_variable_any", "_ZNSt3_V2", "_ZNKSt3_V2",
        "_ZNSt13__future_base", "_ZNKSt13__future_base", "_ZSt15future_category", "_ZNSt28__atomic_futex_unsigned_base",
        "_ZNSt11this_thread", "_ZNSt6chrono", "_ZNSt10_Sp_locker", "_ZNSt11_Mutex_base", "_ZNSt9once_flag",
        "__once_proxy", "_ZSt25notify_all_at_thread_exit", "_ZSt20__throw_system_error", "_ZNSt5mutex",
        "_ZNSt15recursive_mutex", "_ZNSt11timed_mutex", "_ZNSt12shared_mutex",
        /* output */
        "_ZStls", "_ZNSo", "_ZSt4endl", "_ZSt4ends", "_ZSt5flush", "_ZSt16__ostream_insert", "_ZNSt8ios_base",
        "_ZNKSt8ios_base", "_ZNSt9basic_ios", "_ZNKSt9basic_ios", "_ZNSt6locale", "_ZNKSt6locale", "_ZNKSt5ctype",
        "_ZNSt5ctype", "_ZNSt13basic_ostream", "_ZSt9use_facet", "_ZSt9has_facet"};

static bool begins(const char *s, const char *with)
{
        return strncmp(s, with, strlen(with)) == 0;
}

/* "_ZSt20__throw_length_errorPKc": throws, and returns never. */
static bool is_throw(const char *name)
{
        if (!begins(name, "_ZSt"))
                return false;
        name += strlen("_ZSt");
        return begins(name + strspn(name, "0123456789"), "__throw_");
}

/* A stream into a string begins or ends: no other thread has it. */
static bool makes_stream(const char *name)
{
        static const char *const classes[] = {"_ZNSt7__cxx1119basic_ostringstreamI",
                                              "_ZNSt7__cxx1118basic_stringstreamI",
                                              "_ZNSt7__cxx1119basic_istringstreamI", "_ZNSt7__cxx1115basic_stringbufI"};

        for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
                if (begins(name, classes[i]) && (strstr(name, "EEC") || strstr(name, "EED")))
                        return true;
        return false;
}

bool imports_is_modelled(const char *name)
{
        for (size_t i = 0; i < sizeof modelled / sizeof *modelled; i++)
                if (begins(name, modelled[i]))
                        return true;
        return is_throw(name) || makes_stream(name);
}

enum wire_output imports_output(const char *name)
{
        static const struct {
                const char *begins, *contains;
                enum wire_output print;
        } known[] = {
                {"_ZNSoC", "", WIRE_OUTPUT_NOT}, /* there is no stream yet, or no more */
                {"_ZNSoD", "", WIRE_OUTPUT_NOT},
                {"_ZNSo6sentry", "", WIRE_OUTPUT_NOT},
                {"_ZNSoaS", "", WIRE_OUTPUT_NOT},
                {"_ZNSo4swap", "", WIRE_OUTPUT_NOT},
                {"_ZNSo", "", WIRE_OUTPUT_VALUE},
                {"_ZSt16__ostream_insertIc", "", WIRE_OUTPUT_VALUE},
                {"_ZStlsISt11char_traitsIcEE", "", WIRE_OUTPUT_VALUE},
                {"_ZStlsIcSt11char_traitsIcE", "basic_string", WIRE_OUTPUT_STRING},
                {"_ZStlsIcSt11char_traitsIcE", "", WIRE_OUTPUT_VALUE},
                {"_ZNKSt7__cxx1119basic_ostringstreamIc", "3strEv", WIRE_OUTPUT_TAKE},
                {"_ZNKSt7__cxx1118basic_stringstreamIc", "3strEv", WIRE_OUTPUT_TAKE},
                {"_ZNKSt7__cxx1115basic_stringbufIc", "3strEv", WIRE_OUTPUT_BUFFER},
                {"_ZNSt7__cxx1119basic_ostringstreamIc", "3strE", WIRE_OUTPUT_STRING},
                {"_ZNSt7__cxx1118basic_stringstreamIc", "3strE", WIRE_OUTPUT_STRING},
                {"_ZSt4endlIc", "", WIRE_OUTPUT_VALUE},
                {"_ZSt4endsIc", "", WIRE_OUTPUT_VALUE},
                {"_ZSt5flushIc", "", WIRE_OUTPUT_VALUE},
        };

        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
                if (begins(name, known[i].begins) && strstr(name, known[i].contains))
                        return known[i].print;
        return WIRE_OUTPUT_NOT;
}
