/* toy.c - a program with something for every pattern of tools/mutate, and with places that must
 * stay. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int reprise_status;
#define REPRISE_OK 0
#define RP_TRY(call)             \
    do {                         \
        reprise_status s = call; \
        if (s != REPRISE_OK)     \
            return s;            \
    } while (0)

static const int squares[3 + 1] = {0, 1, 4, 9};
_Static_assert(sizeof squares == 4 * sizeof(int), "four of them");

static int difference(int a, int b)
{
    return a - b;
}

static reprise_status check(int value)
{
    if (value > 100)
        return 7;
    return REPRISE_OK;
}

static reprise_status check_all(const int *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        RP_TRY(check(values[i]));
    return REPRISE_OK;
}

static bool is_even(int value)
{
    return value % 2 == 0;
}

static const char *name_of(int number)
{
    static const char *const names[2 + 1] = {"none", "one", "two"};
    switch (number) {
    case 0:
    case 1 + 1:
        return names[number];
    default:
        break;
    }
    return number < 0 ? "less" : "more";
}

static void add_up(const int *values, size_t count, int *ret_sum)
{
    int sum = 0, start[2] = {5, 6};
    for (size_t i = 0; i < count && values[i] >= 0; i++)
        sum += values[i];
    *ret_sum = sum + start[1];
}

static void never_called(int *value)
{
    *value = 3;
}

static size_t larger(size_t capacity)
{
    return capacity ? capacity * 2 : 64;
}

static void numbers_free(int **numbers, size_t count)
{
    for (size_t i = 0; i != count; i++)
        free(numbers[i]);
}

/* What a process reached is known, even if it is killed. */
static void only_in_a_child(volatile int *value)
{
    *value += 2;
}

static int kill_child(void)
{
    volatile int value = 0;
    pid_t child = fork();
    if (child == 0) {
        only_in_a_child(&value);
        raise(SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

int main(int argc, char **argv)
{
    int values[] = {3, 4, 101, -1}, sum = 0;
    if (argc > 1 && strcmp(argv[1], "never") == 0)
        never_called(&sum);
    add_up(values, 4, &sum);
    printf("%d %d %d %d\n", sum, difference(9, 4), check_all(values, 2), check_all(values, 3));
    printf("%d %d %s %s %s %s\n", is_even(3), is_even(4), name_of(0), name_of(2), name_of(-5),
           name_of(5));
    printf("%d %d\n", squares[3], kill_child());
    unsigned threads = 8;
    numbers_free(NULL, larger(threads) == 3);
    return 0;
}
