/** What runs in a step of an upgrade. */
interface Step {
    /** For readers of a preview. */
    readonly title: string;
    /** Its DaemonSets and Deployments. @default those of `components` that no other step names */
    readonly workloads?: readonly string[];
    /** Components of the stack that they belong to. @default none of the stack's objects run in it */
    readonly components?: readonly string[];
}

/**
 * Steps of an upgrade, in order: each starts when the previous one is complete. Resources depend on each other in this
 * order, and previews, documentation and tests read it.
 *
 * To move a step, move its line here and in `stepNamesBack`. The snapshot stays first. By Kubernetes' skew policy,
 * kube-apiserver stays before the controllers, the add-ons and the kubelets, and after them on the way back. The other steps
 * can move.
 */
export const upgradeSteps = {
    snapshot: { title: "a snapshot of etcd" },
    etcd: { title: "etcd, if it changes" },
    // First, so that the others are checkpointed by the version that stays.
    checkpointer: { title: "checkpointer", components: ["SelfHosted"], workloads: ["checkpointer"] },
    // No other component may be newer than it.
    apiserver: { title: "kube-apiserver", components: ["SelfHosted"], workloads: ["kube-apiserver"] },
    controllers: { title: "kube-controller-manager and kube-scheduler", components: ["SelfHosted"] },
    addons: { title: "kube-proxy and the other add-ons", components: ["Addons", "CloudAddons"] },
    controllerKubelets: {
        title: "the kubelets of controllers",
        components: ["NodeAgents"],
        workloads: ["node-agent-controller"],
    },
    workerKubelets: { title: "the kubelets of workers, pool by pool", components: ["NodeAgents"] },
} as const satisfies Readonly<Record<string, Step>>;

export type UpgradeStep = keyof typeof upgradeSteps;

const steps = Object.entries<Step>(upgradeSteps) as readonly (readonly [UpgradeStep, Step])[];

/** Names of the steps, in order. */
export const stepNames: readonly UpgradeStep[] = steps.map(([name]) => name);

/**
 * The same for the way back to an older minor version: no other component may be newer than kube-apiserver, so it is
 * the last one then.
 */
export const stepNamesBack: readonly UpgradeStep[] = [
    "snapshot",
    "etcd",
    "checkpointer",
    "controllerKubelets",
    "workerKubelets",
    "addons",
    "controllers",
    "apiserver",
];

/** For readers of a preview. */
export const upgradeOrder = describeOrder(stepNames);
export const orderBack = describeOrder(stepNamesBack);

function describeOrder(names: readonly UpgradeStep[]): string {
    return names.map((name) => upgradeSteps[name].title).join(", then ");
}

/** The step in which a component's workload is replaced. @returns undefined if it waits for no other */
export function stepOf(component: string, workload: string): UpgradeStep | undefined {
    const own = steps.filter(([, { components }]) => components?.includes(component));
    const found =
        own.find(([, { workloads }]) => workloads?.includes(workload)) ??
        own.find(([, { workloads }]) => workloads === undefined);
    return found?.[0];
}

/** What waits for what in an upgrade: collects what each step consists of, such as its resources. */
export class UpgradeOrder<Part> {
    readonly #parts: { readonly step: UpgradeStep; readonly part: Part; readonly onlyBack: boolean }[] = [];

    /**
     * @param isBack - whether an older minor version is desired, once that is known: after all parts were added
     * @param isNew - whether this `up` has started the cluster: its parts are what the bootstrap has applied, so none
     * changes another one, and none waits
     */
    constructor(
        readonly isBack: Promise<boolean> = Promise.resolve(false),
        readonly isNew: Promise<boolean> = Promise.resolve(false),
    ) {}

    add(step: UpgradeStep, ...parts: readonly Part[]): void {
        this.#parts.push(...parts.map((part) => ({ step, part, onlyBack: false })));
    }

    /** Adds a part that nothing waits for, except on the way back: it may itself need nodes of a later step. */
    addBack(step: UpgradeStep, part: Part): void {
        this.#parts.push({ step, part, onlyBack: true });
    }

    /** What a step waits for: the nearest earlier one that consists of anything, which waits for those before it. */
    before(step: UpgradeStep): Promise<readonly Part[]> {
        return this.unlessNew(this.#nearest(step));
    }

    /** What a part of a step waits for: those before it, but nothing in a new cluster. */
    async unlessNew(parts: Promise<readonly Part[]>): Promise<readonly Part[]> {
        return (await this.isNew) ? [] : parts;
    }

    async #nearest(step: UpgradeStep): Promise<readonly Part[]> {
        const isBack = await this.isBack;
        const names = isBack ? stepNamesBack : stepNames;
        const earlier = names.slice(0, names.indexOf(step)).reverse();
        const partsOf = (of: UpgradeStep) =>
            this.#parts.filter((each) => each.step === of && (isBack || !each.onlyBack)).map(({ part }) => part);
        return earlier.map(partsOf).find((parts) => parts.length > 0) ?? [];
    }
}
