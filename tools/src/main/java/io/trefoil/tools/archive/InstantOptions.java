/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.ArchiveContents;
import io.trefoil.checkpoint.archive.Mark;
import io.trefoil.checkpoint.archive.NamespaceRecipe;
import io.trefoil.checkpoint.archive.NoSuchInstantException;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which namespace of the past is meant. */
final class InstantOptions {

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description =
                    "The namespace at a time, as 2026-11-28T12:00:03Z, by the clock of the host that wrote the archive: with all"
                            + " that it knew by then to be committed. The output says up to when that was, and from when what came next.")
    private String time;

    @Option(
            names = "--txid",
            paramLabel = "TXID",
            description = "The namespace after a transaction. Without --txid and --at, the newest one.")
    private Long txId;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /**
     * Chooses an image and edits.
     *
     * @throws ParameterException if what was typed is no time, or two things at once
     * @throws IOException if the archive does not have it; the text says what it has
     */
    NamespaceRecipe choose(ArchiveContents contents) throws IOException {
        if (time != null && txId != null) {
            throw new ParameterException(command.commandLine(), "Wanted --at or --txid, found both");
        }
        return txId != null ? after(contents, txId) : at(contents, command, "--at", Optional.ofNullable(time));
    }

    /**
     * Chooses an image and edits for an instant, which is a time or the number of a transaction, or without either the newest.
     *
     * @throws ParameterException if it is neither
     * @throws IOException if the archive does not have it; the text says what it has
     */
    static NamespaceRecipe choose(
            ArchiveContents contents, CommandSpec command, String option, Optional<String> instant) throws IOException {
        return instant.filter(text -> text.matches("[0-9]{1,18}")).isPresent()
                ? after(contents, Long.parseLong(instant.get()))
                : at(contents, command, option, instant);
    }

    private static NamespaceRecipe after(ArchiveContents contents, long txId) throws IOException {
        try {
            return contents.after(txId);
        } catch (NoSuchInstantException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static NamespaceRecipe at(
            ArchiveContents contents, CommandSpec command, String option, Optional<String> time) throws IOException {
        try {
            return time.isPresent() ? contents.at(millis(command, option, time.get())) : contents.newestNamespace();
        } catch (NoSuchInstantException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** What the time of an instant is exactly, for people; empty if a transaction was asked for. */
    static String text(NamespaceRecipe recipe) {
        String next = recipe.next()
                .map(mark -> "; the next ones reached the archive by " + time(mark))
                .orElse("");
        return recipe.mark()
                .map(mark -> "Its last edits were committed by " + time(mark) + next + "\n")
                .orElse("");
    }

    private static String time(Mark mark) {
        return Instant.ofEpochMilli(mark.millis()).toString();
    }

    /** Adds to an object what {@link #text} says. */
    static void put(Map<String, Object> object, NamespaceRecipe recipe) {
        recipe.mark().ifPresent(mark -> object.put("committedByMillis", mark.millis()));
        recipe.next().ifPresent(mark -> object.put("nextCommittedByMillis", mark.millis()));
    }

    private static long millis(CommandSpec command, String option, String time) {
        try {
            return Instant.parse(time).toEpochMilli();
        } catch (DateTimeException e) {
            throw new ParameterException(
                    command.commandLine(), option + " is a time in UTC, as 2026-11-28T12:00:03Z; got " + time, e);
        }
    }
}
