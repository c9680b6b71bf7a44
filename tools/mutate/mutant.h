/*
 * mutant.h - which mutant is on. Included first by every file that has mutants, before the file
 * chooses the features of its system headers; therefore this includes nothing.
 */
#ifndef MUTANT_H
#define MUTANT_H

/* A byte per mutant: whether anything came to it. */
extern unsigned char *mutant_reached __attribute__((visibility("hidden")));
extern int mutant_chosen __attribute__((visibility("hidden")));

#define MUTANT(n) (mutant_reached[n] = 1, __builtin_expect(mutant_chosen == (n), 0))

#endif
