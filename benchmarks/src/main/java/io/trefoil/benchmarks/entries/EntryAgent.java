/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.entries;

import static net.bytebuddy.matcher.ElementMatchers.isAbstract;
import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isMethod;
import static net.bytebuddy.matcher.ElementMatchers.isNative;
import static net.bytebuddy.matcher.ElementMatchers.nameStartsWith;
import static net.bytebuddy.matcher.ElementMatchers.none;
import static net.bytebuddy.matcher.ElementMatchers.not;

import java.util.List;
import java.util.Set;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.NamedElement;
import net.bytebuddy.matcher.ElementMatcher;

/** Makes the methods of classes that are loaded from now on say that they are entered. */
final class EntryAgent {

    private EntryAgent() {}

    /**
     * Attaches to this JVM, which must allow it: {@code -Djdk.attach.allowAttachSelf=true}.
     *
     * @param timers methods, each {@code class.method}, that timers call
     */
    static void install(List<String> packages, Set<String> timers) {
        ElementMatcher.Junction<NamedElement> counted = none();
        for (String prefix : packages) {
            counted = counted.or(nameStartsWith(prefix));
        }
        new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(AgentBuilder.TypeStrategy.Default.REDEFINE)
                .type(counted)
                .transform((builder, type, loader, module, domain) ->
                        builder.visit(entries()).visit(timers(timers)))
                .installOn(ByteBuddyAgent.install());
    }

    /** All methods and constructors with code. */
    static AsmVisitorWrapper entries() {
        return Advice.to(Entry.class)
                .on(isMethod().or(isConstructor()).and(not(isAbstract())).and(not(isNative())));
    }

    /** Methods, each {@code class.method}, that timers call: what they enter does not count. */
    static AsmVisitorWrapper timers(Set<String> timers) {
        return Advice.to(Timer.class)
                .on(method ->
                        timers.contains(method.getDeclaringType().asErasure().getName() + "." + method.getName()));
    }

    /** What is put around a timer's code. */
    private static final class Timer {
        @Advice.OnMethodEnter
        static void began() {
            EntryCounter.timerBegan();
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void ended() {
            EntryCounter.timerEnded();
        }
    }

    /** What is put in front of a method's code. */
    private static final class Entry {
        @Advice.OnMethodEnter
        static void entered(@Advice.Origin("#t.#m") String method) {
            EntryCounter.entered(method);
        }
    }
}
