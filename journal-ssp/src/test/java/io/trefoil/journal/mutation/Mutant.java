/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.mutation;

/**
 * One change of one place of the code, named so that moving the code does not rename it.
 *
 * @param method class and method
 * @param line the line of code that was changed, as it stands in the source
 * @param change what was done to it
 */
record Mutant(String method, String line, String change) implements Comparable<Mutant> {

    @Override
    public int compareTo(Mutant other) {
        return key().compareTo(other.key());
    }

    private String key() {
        return method + '\n' + line + '\n' + change;
    }

    /** As it stands on the page of mutants, without the reason. */
    String toListing() {
        return "- `" + line + "`, " + change + ":";
    }
}
