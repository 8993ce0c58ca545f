/* The choice of a memory model. */
#include "rt/weak/mm.h"

#include "rt/weak/above.h"
#include "rt/weak/model.h"

const struct mm_model *mm_model;
const struct mm_above *mm_above;

void mm_init(const struct mm_above *above)
{
        static const struct mm_model *const models[] = {[WIRE_MEMORY_TSO] = &mm_tso, [WIRE_MEMORY_PSO] = &mm_pso};
        uint32_t asked = rt.down->memory;

        mm_above = above;
        mm_model = asked < sizeof models / sizeof *models ? models[asked] : NULL;
}
