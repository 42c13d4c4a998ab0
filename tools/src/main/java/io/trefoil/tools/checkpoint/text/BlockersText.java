/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.restore.HostRestorePlan;

/** The obstacles to a plan, as text and as JSON. */
public final class BlockersText {

    private BlockersText() {}

    /** The obstacles as text, one line each. */
    public static String text(HostRestorePlan plan) {
        StringBuilder text = new StringBuilder();
        plan.refusals()
                .forEach(blocker ->
                        text.append("it cannot be done: ").append(blocker).append('\n'));
        plan.blockers()
                .forEach(blocker ->
                        text.append("before it can be done: ").append(blocker).append('\n'));
        return text.toString();
    }

    static void put(HostRestorePlan plan, ObjectNode object) {
        plan.refusals().forEach(object.putArray("refusals")::add);
        plan.blockers().forEach(object.putArray("hindrances")::add);
    }
}
