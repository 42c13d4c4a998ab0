/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool.survey;

import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.cluster.NoAnswerException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Queries every node that may have a replica of a journal: the addresses in the URI, then the members that it does not name. Once
 * a majority has answered, no node that is down is waited for: it is reported, and an operator's patience is not used up by it.
 */
public final class PoolSurvey {

    private PoolSurvey() {}

    /** @throws NoAnswerException if no node answers */
    public static PoolStatus of(JournalLocation location, PoolAdminClient adminClient, long maxLag) throws IOException {
        Map<NodeAddress, NodeAnswer> answers = new LinkedHashMap<>(adminClient.query(
                location.addresses(), StatusRequest.create(), some -> PoolStatus.of(location, some, maxLag)
                        .hasMajority()));
        PoolStatus known = PoolStatus.of(location, answers, maxLag);
        if (known.hasNoAnswer()) {
            throw new NoAnswerException(location, answers);
        }
        List<NodeAddress> others = new ArrayList<>();
        for (Member member : known.members().list()) {
            if (!answers.containsKey(member.address())) {
                others.add(member.address());
            }
        }
        if (others.isEmpty()) {
            return known;
        }
        answers.putAll(adminClient.query(others, StatusRequest.create(), some -> {
            Map<NodeAddress, NodeAnswer> soFar = new LinkedHashMap<>(answers);
            soFar.putAll(some);
            return PoolStatus.of(location, soFar, maxLag).hasMajority();
        }));
        return PoolStatus.of(location, answers, maxLag);
    }
}
