/**
 * Operating-system processes under a test's control, which starts, watches, freezes, resumes and kills them.
 *
 * <p>Entry class: {@link io.trefoil.it.process.SupervisedProcess}. No process started here outlives the JVM that started
 * it, however that JVM ends; {@link io.trefoil.it.process.jvm.ExitWithParent} says how.
 */
package io.trefoil.it.process;
