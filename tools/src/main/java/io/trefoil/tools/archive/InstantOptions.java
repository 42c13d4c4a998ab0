/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.ArchiveContents;
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

/** The options that say which namespace of the past is meant. */
final class InstantOptions {

    private static final String NEWEST = "newest";

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

    @Option(
            names = "--checkpoint",
            paramLabel = "ID|newest",
            description =
                    "The namespace of a checkpoint, at one instant of all its nameservices; newest is the newest, with --at the"
                            + " newest by then, that the archives of all of them have, below the same directory.")
    private String checkpoint;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    private Optional<CommonCut> commonCut = Optional.empty();

    /** Whether the command line selects a namespace of the past. */
    boolean isChosen() {
        return time != null || txId != null || checkpoint != null;
    }

    /**
     * Chooses an image and edits.
     *
     * @param archive the archives of the federation's nameservices
     * @throws ParameterException if what was typed is no time, or two things at once
     * @throws IOException if the archive does not have it; the text says what it has
     */
    NamespaceRecipe choose(ArchiveContents contents, ArchiveOptions archive) throws IOException {
        if (time != null && txId != null) {
            throw new ParameterException(command.commandLine(), "Wanted --at or --txid, found both");
        }
        if (checkpoint != null) {
            CommonCut chosen = chooseCheckpoint(new CommonInstant(contents, archive));
            commonCut = Optional.of(chosen);
            return chosen.recipe();
        }
        return txId != null
                ? chooseAfter(contents, txId)
                : chooseAt(contents, command, "--at", Optional.ofNullable(time));
    }

    private CommonCut chooseCheckpoint(CommonInstant common) throws IOException {
        boolean isNewest = checkpoint.equals(NEWEST);
        if (txId != null || (time != null && !isNewest)) {
            throw new ParameterException(
                    command.commandLine(), "Wanted --checkpoint alone, or --checkpoint newest with --at, found more");
        }
        if (!isNewest) {
            return common.choose(checkpoint);
        }
        return common.chooseNewest(time == null ? Long.MAX_VALUE : parseMillis(command, "--at", time));
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
                ? chooseAfter(contents, Long.parseLong(instant.get()))
                : chooseAt(contents, command, option, instant);
    }

    private static NamespaceRecipe chooseAfter(ArchiveContents contents, long txId) throws IOException {
        try {
            return contents.recipeAfter(txId);
        } catch (NoSuchInstantException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static NamespaceRecipe chooseAt(
            ArchiveContents contents, CommandSpec command, String option, Optional<String> time) throws IOException {
        try {
            return time.isPresent()
                    ? contents.recipeAt(parseMillis(command, option, time.get()))
                    : contents.newestNamespace();
        } catch (NoSuchInstantException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Returns the checkpoint or the exact time of an instant, for human readers; empty if a transaction was asked for. */
    String text(NamespaceRecipe recipe) {
        if (commonCut.isPresent()) {
            return commonCut.get().text();
        }
        String next = recipe.nextMark()
                .map(mark -> "; the next ones reached the archive by " + time(mark.millis()))
                .orElse("");
        return recipe.mark()
                .map(mark ->
                        "Its last edits were committed by " + time(mark.millis()) + next + "\n" + completeness(recipe))
                .orElse("");
    }

    private static String completeness(NamespaceRecipe recipe) {
        if (!recipe.nextMark().isPresent()) {
            return "";
        }
        return recipe.completeMillis()
                .map(millis -> "Nothing is missing that was committed by " + time(millis) + "\n")
                .orElse("What else had been committed by then is not known: no writer was up to date\n");
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    /** Adds the content of {@link #text} to an object. */
    void addTo(Map<String, Object> object, NamespaceRecipe recipe) {
        commonCut.ifPresent(cut -> cut.addTo(object));
        recipe.mark().ifPresent(mark -> object.put("committedByMillis", mark.millis()));
        recipe.nextMark().ifPresent(mark -> object.put("nextCommittedByMillis", mark.millis()));
        recipe.completeMillis().ifPresent(millis -> object.put("completeUntilMillis", millis));
    }

    private static long parseMillis(CommandSpec command, String option, String time) {
        try {
            return Instant.parse(time).toEpochMilli();
        } catch (DateTimeException e) {
            throw new ParameterException(
                    command.commandLine(), option + " is a time in UTC, as 2026-11-28T12:00:03Z; got " + time, e);
        }
    }
}
