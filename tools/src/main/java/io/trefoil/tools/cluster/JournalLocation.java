/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A journal, with the nodes to ask first, as named in an {@code ssp://} URI. Immutable. */
@AutoValue
public abstract class JournalLocation {

    public static JournalLocation of(JournalId journal, List<NodeAddress> addresses) {
        return new AutoValue_JournalLocation(journal, Collections.unmodifiableList(new ArrayList<>(addresses)));
    }

    public abstract JournalId journal();

    public abstract List<NodeAddress> addresses();
}
