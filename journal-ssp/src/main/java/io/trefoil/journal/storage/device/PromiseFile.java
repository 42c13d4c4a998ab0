/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.storage.file.ChecksummedText;
import io.trefoil.journal.storage.file.FileLayer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The file {@code promise}: all durable state outside the log (rules R1 and R9). */
final class PromiseFile {

    static final String NAME = "promise";

    private static final String COMPLETE = "COMPLETE";
    private static final String REFETCHING = "REFETCHING";

    /** The contents of the file. Immutable. */
    @AutoValue
    abstract static class Content {

        static Content of(Promise promise, LogCompleteness completeness, UnfinishedChange unfinishedChange) {
            return new AutoValue_PromiseFile_Content(promise, completeness, unfinishedChange);
        }

        abstract Promise promise();

        abstract LogCompleteness completeness();

        abstract UnfinishedChange unfinishedChange();

        final Content with(UnfinishedChange unfinishedChange) {
            return of(promise(), completeness(), unfinishedChange);
        }
    }

    private final Path path;
    private final ChecksummedText text;

    PromiseFile(FileLayer files, Path directory) {
        path = directory.resolve(NAME);
        text = new ChecksummedText(files, path);
    }

    /** Writes the promise: durable when it returns, old or new if interrupted. */
    void write(Content content) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("epoch", content.promise().epoch().toString());
        values.put("writer", content.promise().writer().text());
        values.put("leaseMillis", Long.toString(content.promise().leaseMillis()));
        values.put("completeness", toToken(content.completeness()));
        values.put("unfinished", content.unfinishedChange().toString());
        text.write(values);
    }

    Content read() throws IOException {
        Map<String, String> values = text.read("epoch", "writer", "leaseMillis", "completeness", "unfinished");
        try {
            Promise promise = Promise.of(
                    Epoch.of(Long.parseLong(values.get("epoch"))),
                    WriterId.of(values.get("writer")),
                    Long.parseLong(values.get("leaseMillis")));
            return Content.of(
                    promise,
                    parseCompleteness(values.get("completeness")),
                    UnfinishedChange.parse(values.get("unfinished")));
        } catch (IllegalArgumentException e) {
            throw new IOException(path + " makes no sense: " + values, e);
        }
    }

    /** The words used in the file, independent of the constants' names, so that the file stays readable if those are renamed. */
    private static String toToken(LogCompleteness completeness) {
        return completeness == LogCompleteness.COMPLETE ? COMPLETE : REFETCHING;
    }

    private static LogCompleteness parseCompleteness(String word) {
        switch (word) {
            case COMPLETE:
                return LogCompleteness.COMPLETE;
            case REFETCHING:
                return LogCompleteness.REFETCHING;
            default:
                throw new IllegalArgumentException(
                        "The completeness is " + COMPLETE + " or " + REFETCHING + ", found '" + word + "'");
        }
    }
}
