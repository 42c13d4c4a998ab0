/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.View;

/** The global view as a document, with field names that programs may rely on. */
public final class ViewJson {

    private ViewJson() {}

    /**
     * Makes the document.
     *
     * @param current whether the view is current; else it is from when ZooKeeper was last in reach
     * @param nowMillis the time by this process's wall clock, for preferences that have expired
     */
    public static String render(String nameservice, View view, boolean current, long nowMillis) {
        ObjectNode document =
                RecordFormat.object().put("nameservice", nameservice).put("current", current);
        document.put("ballot", view.ballot().number());
        view.lock().ifPresent(lock -> document.putObject("lock")
                .put("holder", lock.holder())
                .put("epoch", lock.epoch().number())
                .put("takingOver", lock.isTakingOver()));
        ArrayNode members = document.putArray("members");
        for (MemberRecord member : view.members()) {
            members.addObject()
                    .put("name", member.name())
                    .put("state", member.state().name())
                    .put("role", member.role().name())
                    .put("electable", member.electable())
                    .put("drained", view.orders().isDrained(member.name()))
                    .put("preferred", view.orders().isPreferred(member.name(), nowMillis))
                    .put("preparing", member.preparing())
                    .put("priority", member.priority())
                    .put("site", member.site())
                    .put("reason", member.reason())
                    .put("since", member.sinceMillis())
                    .put("txId", member.appliedTxId())
                    .put("lag", member.lag())
                    .put("lagMillis", member.lagMillis())
                    .put("epoch", member.epoch().number())
                    .put("rpc", member.addresses().rpc())
                    .put("http", member.addresses().http())
                    .put("pool", member.addresses().pool())
                    .put("version", member.version());
        }
        document.set("orders", RecordFormat.toJson(view.orders()));
        return document.toString();
    }
}
