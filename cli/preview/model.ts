/** What becomes of a resource. */
export type Operation = "create" | "update" | "replace" | "delete" | "same";

/** Values as the engine tells them; secrets and what only `up` can tell are texts that say so (`plain.ts`). */
export type Values = Readonly<Record<string, unknown>>;

/** A resource of a preview, unchanged ones among them. */
export interface Step {
    readonly operation: Operation;
    readonly urn: string;
    /** As in `aws:ec2/instance:Instance`. */
    readonly type: string;
    readonly name: string;
    /** URN of the resource that it belongs to. @default none */
    readonly parent?: string;
    /** Its inputs so far. @default - it comes */
    readonly old?: Values;
    /** Its inputs to come. @default - it goes */
    readonly new?: Values;
    /** Paths that the provider says to differ, secret ones among them; by those of `replaces` it is made anew. */
    readonly changed: readonly string[];
    readonly replaces: readonly string[];
    /** Of one that is made anew: it goes before the new one comes. */
    readonly isDeletedFirst: boolean;
}

export interface Diagnostic {
    readonly severity: "info" | "warning" | "error";
    readonly message: string;
    /** Name of the resource that it is about. @default - the whole program */
    readonly resource?: string;
}

/** A preview of a stack, as plain data without secrets. */
export interface Preview {
    readonly project: string;
    readonly stack: string;
    readonly steps: readonly Step[];
    readonly diagnostics: readonly Diagnostic[];
    /** The engine came to its end. */
    readonly isComplete: boolean;
}

/** Whether it says less than `up` would do. */
export function isFailed({ isComplete, diagnostics }: Preview): boolean {
    return !isComplete || diagnostics.some(({ severity }) => severity === "error");
}

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
