/* test_two_bones.c - arms and legs reach what they can, keep their lengths and bend the right way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "two_bones.h"

/* Where the middle joint and the end are, by the rotations alone. */
typedef struct found {
    rp_vec3 knee, end;
} found;

static found solve(const rp_two_bones *limb)
{
    rp_quat upper, lower;
    rp_two_bones_solve(limb, &upper, &lower);
    rp_vec3 knee = rp_plus(limb->from, rp_rotation_apply(upper, (rp_vec3){0, -limb->upper, 0}));
    return (found){knee, rp_plus(knee, rp_rotation_apply(lower, (rp_vec3){0, -limb->lower, 0}))};
}

static void expect_finite(const found *f)
{
    const float values[6] = {f->knee.x, f->knee.y, f->knee.z, f->end.x, f->end.y, f->end.z};
    for (size_t i = 0; i < 6; i++)
        assert_true(isfinite(values[i]));
}

static void expect_lengths(const rp_two_bones *limb, const found *f)
{
    assert_true(fabs(rp_distance(limb->from, f->knee) - (double)limb->upper) < 1e-4);
    assert_true(fabs(rp_distance(f->knee, f->end) - (double)limb->lower) < 1e-4);
}

static rp_two_bones arm_to(float x, float y, float z)
{
    return (rp_two_bones){.from = {0, 1.4f, 0},
                          .to = {x, y, z},
                          .upper = 0.3f,
                          .lower = 0.26f,
                          .bend = {0.5f, -1, 0.45f}};
}

static void two_bones__of_their_stretch_reach_every_point(void **state)
{
    (void)state;
    for (int x = 0; x <= 40; x++) {
        rp_two_bones arm = arm_to(0.1f * (float)x, 1.1f, -0.2f);
        float stretch = rp_two_bones_stretch(&arm);
        assert_true(stretch >= 1);
        assert_int_equal(stretch > 1, rp_distance(arm.from, arm.to) > 0.999 * 0.56);
        arm.upper *= stretch;
        arm.lower *= stretch;
        found f = solve(&arm);
        expect_lengths(&arm, &f);
        assert_true(rp_distance(f.end, arm.to) < 1e-2);
    }
    rp_two_bones nowhere = arm_to(NAN, 0, INFINITY);
    assert_true(fabsf(rp_two_bones_stretch(&nowhere) - 1) < 1e-6f);
}

static void two_bones__reach_every_point_between_their_limits(void **state)
{
    (void)state;
    unsigned reached = 0;
    for (int x = -5; x <= 5; x++) {
        for (int y = -5; y <= 5; y++) {
            for (int z = -5; z <= 5; z++) {
                rp_two_bones arm = arm_to(0.1f * (float)x, 1.4f + 0.1f * (float)y, 0.1f * (float)z);
                double far = rp_distance(arm.from, arm.to);
                if (far < 0.05 || far > 0.55)
                    continue;
                found f = solve(&arm);
                expect_lengths(&arm, &f);
                assert_true(rp_distance(f.end, arm.to) < 1e-4);
                reached++;
            }
        }
    }
    assert_int_equal(reached, 738);
}

/* The elbow is on the side that `bend` says, never on the other. */
static void two_bones__bend_to_the_given_side(void **state)
{
    (void)state;
    for (int i = 0; i < 64; i++) {
        double angle = i * 0.0981747704246810;
        rp_two_bones arm = arm_to((float)cos(angle) * 0.4f, 1.3f, (float)sin(angle) * 0.4f);
        found f = solve(&arm);
        rp_vec3 along = rp_unit(rp_minus(arm.to, arm.from), (rp_vec3){0, -1, 0});
        rp_vec3 knee = rp_minus(f.knee, arm.from);
        rp_vec3 aside = rp_minus(knee, rp_times(along, rp_dot(knee, along)));
        assert_true(rp_dot(aside, arm.bend) > 0.05f);
    }
}

static void two_bones__point_at_what_is_out_of_reach(void **state)
{
    (void)state;
    rp_two_bones arm = arm_to(0, 1.4f, -3);
    found f = solve(&arm);
    expect_lengths(&arm, &f);
    assert_true(fabsf(f.end.x) < 0.001f && fabsf(f.end.y - 1.4f) < 0.001f);
    assert_true(f.end.z < -0.559f && f.end.z > -0.5601f);
}

/* The hand at the shoulder: as near as the difference of the bones allows. */
static void two_bones__fold_at_the_shoulder(void **state)
{
    (void)state;
    rp_two_bones arm = arm_to(0, 1.4f, 0);
    found f = solve(&arm);
    expect_finite(&f);
    expect_lengths(&arm, &f);
    assert_true(fabs(rp_distance(f.end, arm.from) - 0.0404) < 1e-3);
    rp_two_bones leg = {.from = {0, 1, 0}, .to = {0, 1, 0}, .upper = 0.4f, .lower = 0.4f};
    f = solve(&leg);
    expect_finite(&f);
    expect_lengths(&leg, &f);
    assert_true(rp_distance(f.end, leg.from) < 1e-3);
}

static void two_bones__are_finite_for_any_input(void **state)
{
    (void)state;
    const float odd[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 1e-30f, 0};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        rp_two_bones arm = arm_to(odd[i], 1.4f, -0.2f);
        found f = solve(&arm);
        expect_finite(&f);
        expect_lengths(&arm, &f);
        arm = arm_to(0.2f, 1.2f, -0.2f);
        arm.bend = (rp_vec3){odd[i], odd[i], odd[i]};
        f = solve(&arm);
        expect_finite(&f);
        expect_lengths(&arm, &f);
        arm.bend = rp_minus(arm.to, arm.from); /* no side at all */
        f = solve(&arm);
        expect_finite(&f);
        assert_true(rp_distance(f.end, arm.to) < 1e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_bones__of_their_stretch_reach_every_point),
        cmocka_unit_test(two_bones__reach_every_point_between_their_limits),
        cmocka_unit_test(two_bones__bend_to_the_given_side),
        cmocka_unit_test(two_bones__point_at_what_is_out_of_reach),
        cmocka_unit_test(two_bones__fold_at_the_shoulder),
        cmocka_unit_test(two_bones__are_finite_for_any_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
