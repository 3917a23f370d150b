/** What happens to a resource. */
export type Operation = "create" | "update" | "replace" | "delete" | "same";

/** Values from Pulumi; placeholders stand for secrets and unknown values (`differences.ts`). */
export type Values = Readonly<Record<string, unknown>>;

/** A resource of a preview; includes unchanged ones. */
export interface Step {
    readonly operation: Operation;
    readonly urn: string;
    /** As in `aws:ec2/instance:Instance`. */
    readonly type: string;
    readonly name: string;
    /** URN of the parent. @default none */
    readonly parent?: string;
    /** Current inputs. @default - it is created */
    readonly old?: Values;
    /** New inputs. @default - it is deleted */
    readonly new?: Values;
    /** Paths that the provider reports as changed, including secrets; those in `replaces` cause a replacement. */
    readonly changed: readonly string[];
    readonly replaces: readonly string[];
    /** For a replacement: the old one is deleted before the new one is created. */
    readonly isDeletedFirst: boolean;
}

export interface Diagnostic {
    readonly severity: "info" | "warning" | "error";
    readonly message: string;
    /** Name of the resource it concerns. @default - the whole program */
    readonly resource?: string;
}

/** A stack's preview as plain data, without secrets. */
export interface Preview {
    readonly project: string;
    readonly stack: string;
    readonly steps: readonly Step[];
    readonly diagnostics: readonly Diagnostic[];
    /** Pulumi ran to completion. */
    readonly isComplete: boolean;
}

/** Whether the preview is incomplete. */
export function isFailed({ isComplete, diagnostics }: Preview): boolean {
    return !isComplete || diagnostics.some(({ severity }) => severity === "error");
}

/** Whether anything would change. */
export function isChange({ steps }: Preview): boolean {
    return steps.some(({ operation }) => operation !== "same");
}

/** A cluster in a preview, with its resources. */
export interface ClusterSteps {
    readonly name: string;
    readonly steps: readonly OwnedStep[];
}

export interface OwnedStep extends Step {
    /** Its component, such as `SelfHosted`; `""` for the cluster itself. */
    readonly component: string;
}

/** Matches a parent that is a component of a cluster: their names start with the cluster's. */
const ownParent = /[:$]tradewind:index:\w+Cluster(?:\$.*?([A-Za-z]+))?::(.+)$/;

/** The clusters of a preview, without resources outside clusters. */
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
