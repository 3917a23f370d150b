import type { Program } from "../known-flags";
import { etcd } from "./etcd";
import { kubeApiserver } from "./kube-apiserver";
import { kubeControllerManager } from "./kube-controller-manager";
import { kubeScheduler } from "./kube-scheduler";
import { kubelet } from "./kubelet";
import type { FlagRule, FlagRules } from "./rule";

/** What `components` may do to each program's flags: the source of checks, of merging and of docs/flags.md. */
export const flagRules: Readonly<Record<Program, FlagRules>> = {
    "kube-apiserver": kubeApiserver,
    "kube-controller-manager": kubeControllerManager,
    "kube-scheduler": kubeScheduler,
    kubelet,
    etcd,
};

/** The rule of a flag; undefined where it is free. */
export function flagRule(program: Program, flag: string): FlagRule | undefined {
    const rules = flagRules[program];
    const [, rule] = Object.entries(rules).find(([pattern]) => matches(pattern, flag)) ?? [];
    return rule;
}

/** Whether a rule's name stands for a flag. */
export function matches(pattern: string, flag: string): boolean {
    return new RegExp(`^${pattern.split("*").join(".*")}$`).test(flag);
}
