/* See threads.h. */
#include "static/threads.h"

#include "static/values.h"

static uint32_t thread_cell(struct program *p, uint32_t object)
{
        uint32_t cell = points_cell(&p->points, cells_loc(&p->points.cells, object, 0, 1), CELLS_WHOLE);

        return p->points.cells.cells.at[cell].in;
}

uint32_t threads_joined(struct program *p, const struct call *c)
{
        uint32_t thread = program_index(&p->objects, c->instruction);

        return thread == UINT32_MAX ? POINTS_ESCAPED : thread_cell(p, thread);
}

void threads_create(struct program *p, LLVMValueRef call, LLVMValueRef address)
{
        uint32_t thread = values_object(p, call, OBJECT_LOCAL), handle = points_node(&p->points);

        points_add(&p->points, handle, cells_loc(&p->points.cells, thread, 0, 1));
        points_copy(&p->points, handle, p->threads);
        points_copy(&p->points, p->exits, thread_cell(p, thread));
        points_constrain(&p->points, values_node(p, address), (struct constraint){C_STORE, handle, 8, 0});
}

void threads_join(struct program *p, LLVMValueRef call)
{
        uint32_t result = points_node(&p->points);

        points_constrain(&p->points, values_node(p, LLVMGetOperand(call, 0)),
                         (struct constraint){C_LOAD, result, 8, 0});
        points_constrain(&p->points, values_node(p, LLVMGetOperand(call, 1)),
                         (struct constraint){C_STORE, result, 8, 0});
}
