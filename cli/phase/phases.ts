import { steps as bootstrapSteps, recoverySteps } from "../../agents/boot/bootstrap/steps";
import { stepNames as joinSteps } from "../../agents/etcd/join/plan";
import { stepNames as restoreSteps } from "../../agents/etcd/keeper/restore/plan";
import { stepNames as updateSteps } from "../../agents/etcd/update/plan";
import { stepNames as demotionSteps } from "../../agents/nodes/demotion/plan";
import { stepNames as removalSteps } from "../../agents/nodes/removal/plan";

/** A long process of a cluster. */
export interface Phase {
    readonly name: string;
    /** Where it runs, and as what. */
    readonly runs: string;
    /** What starts it. */
    readonly start: string;
    /** How to run or resume it by hand, and what that leaves alone. */
    readonly byHand: string;
    /** In order. @default - checks that depend on the machine */
    readonly steps: readonly string[];
}

const resumes = "finished steps are not repeated";

/** In the order of a cluster's life. */
export const phases: readonly Phase[] = [
    {
        name: "preflight",
        runs: "every machine, preflight.service",
        start: "its boot, until it is a node",
        byHand: "/opt/tradewind/bin/preflight on the machine, at any time; it changes nothing",
        steps: [],
    },
    {
        name: "bootstrap",
        runs: "the first controller, bootstrap.service",
        start: "the first pulumi up",
        byHand: `pulumi up, until the cluster has pivoted; ${resumes}`,
        steps: bootstrapSteps.map(({ name }) => name),
    },
    {
        name: "etcd-join",
        runs: "each further controller, Deployment etcd-join-NODE",
        start: "pulumi up, or tradewind promote",
        byHand: `run the same command again; ${resumes}`,
        steps: joinSteps,
    },
    {
        name: "etcd-update",
        runs: "each controller in turn, Job etcd-update",
        start: "pulumi up with other settings of etcd",
        byHand: `run the same command again; ${resumes}`,
        steps: updateSteps,
    },
    {
        name: "node-removal",
        runs: "the cluster, Job node-removal",
        start: "pulumi up with fewer nodes",
        byHand: "pulumi up again; for the step drain alone, kubectl drain NODE",
        steps: removalSteps,
    },
    {
        name: "demotion",
        runs: "a controller that becomes a candidate, DaemonSet node-demotion",
        start: "tradewind demote, or a candidate that takes its place",
        byHand: `run the same command again; ${resumes}`,
        steps: demotionSteps,
    },
    {
        name: "snapshot",
        runs: "a controller, CronJob etcd-snapshot",
        start: "its schedule",
        byHand: "tradewind snapshot, at any time; it changes nothing else",
        steps: [],
    },
    {
        name: "etcd-restore",
        runs: "a controller without its data, before bootstrap.service",
        start: "tradewind recover with a snapshot",
        byHand: `tradewind recover again; ${resumes}`,
        steps: restoreSteps,
    },
    {
        name: "recovery",
        runs: "a controller, bootstrap.service",
        start: "tradewind recover",
        byHand: `tradewind recover again; ${resumes}`,
        steps: recoverySteps.map(({ name }) => name),
    },
];
