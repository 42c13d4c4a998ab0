/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The nodes of a journal, as the newest MEMBERS entry of a log says (rule R7). Immutable.
 *
 * <p>Its payload form is one line per member, {@code id host:port ROLE}, in UTF-8.
 */
@AutoValue
public abstract class Members {

    /** Nobody: the state before a journal is formatted. */
    public static final Members NONE = new AutoValue_Members(Collections.<Member>emptyList());

    /** @throws IllegalArgumentException if an id or an address stands twice */
    public static Members of(List<Member> list) {
        for (int i = 0; i < list.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (list.get(i).id().equals(list.get(j).id())
                        || list.get(i).address().equals(list.get(j).address())) {
                    throw new IllegalArgumentException("One node twice among the members: " + list);
                }
            }
        }
        return new AutoValue_Members(Collections.unmodifiableList(new ArrayList<>(list)));
    }

    public abstract List<Member> list();

    public final int voterCount() {
        int count = 0;
        for (Member member : list()) {
            if (member.isVoter()) {
                count++;
            }
        }
        return count;
    }

    /** How many voters make a majority; more than any number of voters if there are none. */
    public final int majority() {
        return voterCount() / 2 + 1;
    }

    public final Optional<Member> find(NodeId id) {
        for (Member member : list()) {
            if (member.id().equals(id)) {
                return Optional.of(member);
            }
        }
        return Optional.empty();
    }

    public final Optional<Member> at(NodeAddress address) {
        for (Member member : list()) {
            if (member.address().equals(address)) {
                return Optional.of(member);
            }
        }
        return Optional.empty();
    }

    public final boolean isVoter(NodeId id) {
        return find(id).filter(Member::isVoter).isPresent();
    }

    /** These members with one more, or with the one of the same id replaced. */
    public final Members with(Member changed) {
        List<Member> next = new ArrayList<>();
        for (Member member : list()) {
            if (!member.id().equals(changed.id())) {
                next.add(member);
            }
        }
        next.add(changed);
        return of(next);
    }

    public final Bytes toPayload() {
        StringBuilder text = new StringBuilder();
        for (Member member : list()) {
            text.append(member).append('\n');
        }
        return Bytes.ofUtf8(text.toString());
    }

    /** @throws IllegalArgumentException if the bytes are no list of members */
    public static Members fromPayload(Bytes payload) {
        List<Member> list = new ArrayList<>();
        for (String line : payload.utf8().split("\n")) {
            if (line.isEmpty()) {
                continue;
            }
            String[] words = line.split(" ");
            if (words.length != 3) {
                throw new IllegalArgumentException("Wanted 'id host:port ROLE', found '" + line + "'");
            }
            list.add(Member.of(NodeId.of(words[0]), NodeAddress.parse(words[1]), Member.Role.valueOf(words[2])));
        }
        return of(list);
    }

    @Override
    public final String toString() {
        return list().toString();
    }
}
