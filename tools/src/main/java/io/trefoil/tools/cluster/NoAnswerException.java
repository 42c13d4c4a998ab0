/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import io.trefoil.foundation.NoServerReachedException;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.NodeAnswer;
import java.util.Map;

/** Thrown when none of a journal's nodes, or none of a nameservice's NameNodes, answered. */
public final class NoAnswerException extends NoServerReachedException {

    private static final long serialVersionUID = 1;

    public NoAnswerException(JournalLocation location, Map<NodeAddress, NodeAnswer> answers) {
        super(text(location, answers));
    }

    public NoAnswerException(String text) {
        super(text);
    }

    private static String text(JournalLocation location, Map<NodeAddress, NodeAnswer> answers) {
        StringBuilder text = new StringBuilder("Journal " + location.journal() + ": no pool node answers");
        String separator = ": ";
        for (Map.Entry<NodeAddress, NodeAnswer> answer : answers.entrySet()) {
            text.append(separator)
                    .append(answer.getKey())
                    .append(": ")
                    .append(answer.getValue().failureReason());
            separator = "; ";
        }
        return text.toString();
    }
}
