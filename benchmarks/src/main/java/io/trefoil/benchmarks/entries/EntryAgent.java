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

/** Instruments the methods of classes loaded from now on, to report when they are entered. */
final class EntryAgent {

    private EntryAgent() {}

    /**
     * Attaches the agent to this JVM, which must allow that: {@code -Djdk.attach.allowAttachSelf=true}.
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
                        builder.visit(entryVisitor()).visit(timerVisitor(timers)))
                .installOn(ByteBuddyAgent.install());
    }

    /** The instrumentation of all methods and constructors with code. */
    static AsmVisitorWrapper entryVisitor() {
        return Advice.to(Entry.class)
                .on(isMethod().or(isConstructor()).and(not(isAbstract())).and(not(isNative())));
    }

    /** The methods, each as {@code class.method}, that timers call: entries inside them do not count. */
    static AsmVisitorWrapper timerVisitor(Set<String> timers) {
        return Advice.to(Timer.class)
                .on(method ->
                        timers.contains(method.getDeclaringType().asErasure().getName() + "." + method.getName()));
    }

    /** The instructions that are inserted around a timer's code. */
    private static final class Timer {
        @Advice.OnMethodEnter
        static void onBegin() {
            EntryCounter.beginTimer();
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void onEnd() {
            EntryCounter.endTimer();
        }
    }

    /** The instructions that are inserted before a method's code. */
    private static final class Entry {
        @Advice.OnMethodEnter
        static void onEntry(@Advice.Origin("#t.#m") String method) {
            EntryCounter.recordEntry(method);
        }
    }
}
