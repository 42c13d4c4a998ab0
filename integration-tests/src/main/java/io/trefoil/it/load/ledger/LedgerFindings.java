/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load.ledger;

import java.util.ArrayList;
import java.util.List;

/**
 * The findings of a {@link Verifier}.
 *
 * @param rightCount paths that are as they must be
 * @param uncertainCount paths whose outcome no client was told
 * @param filesRead files whose content was compared
 * @param bytesRead their bytes together
 * @param errors every mismatch, in words
 */
public record LedgerFindings(
        long rightCount, long uncertainCount, long filesRead, long bytesRead, List<String> errors) {
    private static final int SHOWN = 20;

    public LedgerFindings {
        errors = List.copyOf(errors);
    }

    /** Whether the file system holds everything that it acknowledged. */
    public boolean isClean() {
        return errors.isEmpty();
    }

    /** Returns this if there are no findings; otherwise throws an {@link AssertionError} that lists them. */
    public LedgerFindings expectClean() {
        if (!isClean()) {
            throw new AssertionError(
                    this + "\n" + String.join("\n", errors.subList(0, Math.min(SHOWN, errors.size()))));
        }
        return this;
    }

    @Override
    public String toString() {
        return "%d paths right, %d uncertain, %d wrong; %d files with %d bytes read"
                .formatted(rightCount, uncertainCount, errors.size(), filesRead, bytesRead);
    }

    /** Collects findings. */
    static final class Collector {
        private final List<String> errors = new ArrayList<>();
        private long rightCount;
        private long uncertainCount;
        private long filesRead;
        private long bytesRead;

        void check(boolean asItMustBe, String message) {
            if (asItMustBe) {
                addCorrect();
            } else {
                addError(message);
            }
        }

        void addCorrect() {
            rightCount++;
        }

        void addError(String finding) {
            errors.add(finding);
        }

        void addUncertain() {
            uncertainCount++;
        }

        void addBytesRead(long bytes) {
            filesRead++;
            bytesRead += bytes;
        }

        LedgerFindings toFindings() {
            return new LedgerFindings(rightCount, uncertainCount, filesRead, bytesRead, errors);
        }
    }
}
