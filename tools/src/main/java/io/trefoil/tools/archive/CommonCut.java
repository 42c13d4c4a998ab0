/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.archive.NamespaceRecipe;
import io.trefoil.checkpoint.model.Agreement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A checkpoint that the archives of all its nameservices have. Immutable. */
@AutoValue
abstract class CommonCut {

    /** @param txIds the last transaction of each nameservice */
    static CommonCut of(
            NamespaceRecipe recipe, Agreement agreement, Map<String, Long> txIds, List<String> unusedCheckpoints) {
        return new AutoValue_CommonCut(
                recipe,
                agreement,
                Collections.unmodifiableSortedMap(new TreeMap<>(txIds)),
                Collections.unmodifiableList(new ArrayList<>(unusedCheckpoints)));
    }

    /** The namespace of the nameservice that was asked for. */
    abstract NamespaceRecipe recipe();

    abstract Agreement agreement();

    abstract SortedMap<String, Long> txIds();

    /** The newer checkpoints that could not be used, each with the reason. */
    abstract List<String> unusedCheckpoints();

    /** Describes it for human readers. */
    final String text() {
        List<String> cuts = new ArrayList<>();
        txIds().forEach((nameservice, txId) -> cuts.add(nameservice + " after transaction " + txId));
        StringBuilder text = new StringBuilder();
        unusedCheckpoints().forEach(one -> text.append("Not used: ").append(one).append('\n'));
        return text.append("It is that of checkpoint ")
                .append(agreement().id())
                .append(" of ")
                .append(Instant.ofEpochMilli(agreement().timeMillis()))
                .append(": ")
                .append(String.join(", ", cuts))
                .append("; --checkpoint ")
                .append(agreement().id())
                .append(" is the same instant of each\n")
                .toString();
    }

    /** Adds the content of {@link #text} to an object. */
    final void addTo(Map<String, Object> object) {
        object.put("checkpoint", agreement().id().toString());
        object.put("checkpointMillis", agreement().timeMillis());
        object.put("checkpointTxIds", new TreeMap<String, Object>(txIds()));
        object.put("unusedCheckpoints", new ArrayList<Object>(unusedCheckpoints()));
    }
}
