import type { Preview, Step } from "./model";

/** A cluster in a preview, and what belongs to it. */
export interface ClusterSteps {
    readonly name: string;
    readonly steps: readonly OwnedStep[];
}

export interface OwnedStep extends Step {
    /** The component that it belongs to, as in `SelfHosted`; the cluster's own is `""`. */
    readonly component: string;
}

/** The component that a parent is, if it is one of a cluster: what a cluster is made of has its name. */
const ownParent = /[:$]tradewind:index:\w+Cluster(?:\$.*?([A-Za-z]+))?::(.+)$/;

/** The clusters of a preview; what belongs to none, such as a program's own resources, is in none. */
export function clustersOf({ steps }: Preview): ClusterSteps[] {
    const owned = steps.flatMap((step) => {
        const [isOwned, component = "", cluster = ""] = ownParent.exec(step.parent ?? "") ?? [];
        return isOwned ? [{ cluster, step: { ...step, component } }] : [];
    });
    return [...new Set(owned.map(({ cluster }) => cluster))].map((name) => ({
        name,
        steps: owned.filter(({ cluster }) => cluster === name).map(({ step }) => step),
    }));
}
