import { requireDuration } from "../durations";
import type { UpgradeJobOptions } from "../options";
import { invalid, isDnsSubdomain, requireMatch, requireNamespace, requireOneOf } from "../validate";
import { stepNames, type UpgradeStep, upgradeSteps } from "./order";

/** A Job of the user's, which an upgrade waits for. */
export interface UpgradeJob {
    readonly name: string;
    /** The step that must be complete first. @default none: it runs before all steps */
    readonly follows?: UpgradeStep;
    /** As the user chose, for messages: `before kube-apiserver`. */
    readonly when: string;
    readonly namespace: string;
    readonly image: string;
    /** @default the image's own */
    readonly command?: readonly string[];
    /** @default its pod has no token */
    readonly serviceAccount?: string;
    readonly timeoutSeconds: number;
}

/** An image that a kubelet pulls: registry, tag and digest are optional. */
const pulledName =
    /^([\w.-]+(:\d+)?\/)?[a-z0-9]+([._-]+[a-z0-9]+)*(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*(:\w[\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/;

/** Validates the option. */
export function resolveUpgradeJobs(jobs: readonly UpgradeJobOptions[]): UpgradeJob[] {
    return jobs.map((job, index) => {
        const option = `upgradeJobs[${index}]`;
        const { name, image, command, namespace = "default", serviceAccount, timeout = "10m" } = job;
        const legal = "1 to 40 characters of a-z, 0-9 and -, starting with a letter and not ending with -";
        requireMatch(`${option}.name`, /^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/, legal, name);
        if (jobs.findIndex((other) => other.name === name) < index) throw invalid(`${option}.name`, "unique", name);
        requireMatch(`${option}.image`, pulledName, "an image, such as registry.example/smoke-test:v1", image);
        requireNamespace(`${option}.namespace`, namespace);
        if (serviceAccount !== undefined && !isDnsSubdomain(serviceAccount)) {
            throw invalid(`${option}.serviceAccount`, "the name of a service account", serviceAccount);
        }
        if (command?.length === 0)
            throw invalid(`${option}.command`, "a list with a program and its arguments", command);
        return {
            name,
            ...placeOf(option, job),
            namespace,
            image,
            ...(command && { command }),
            ...(serviceAccount !== undefined && { serviceAccount }),
            timeoutSeconds: requireDuration(`${option}.timeout`, timeout, "1s", "1d"),
        };
    });
}

function placeOf(option: string, { before, after }: UpgradeJobOptions): Pick<UpgradeJob, "follows" | "when"> {
    if ((before === undefined) === (after === undefined)) {
        throw new Error(`${option} must have one of before and after (got ${before === undefined ? "none" : "both"})`);
    }
    const key = before === undefined ? "after" : "before";
    const step = requireOneOf(`${option}.${key}`, stepNames, before ?? after);
    const follows = before === undefined ? step : stepNames[stepNames.indexOf(step) - 1];
    return { ...(follows && { follows }), when: `${key} ${upgradeSteps[step].title}` };
}

/** Jobs between a step and the next one, in their order. @param step - @default those before all steps */
export function jobsAfter(jobs: readonly UpgradeJob[], step?: UpgradeStep): UpgradeJob[] {
    return jobs.filter(({ follows }) => follows === step);
}

const title = "the Job ";

/** The order of an upgrade with its Jobs, for readers of a preview: `upgradeOrder` if there are none. */
export function orderWithJobs(jobs: readonly UpgradeJob[]): string {
    const titles = (step?: UpgradeStep) => jobsAfter(jobs, step).map(({ name }) => `${title}${name}`);
    return [...titles(), ...stepNames.flatMap((step) => [upgradeSteps[step].title, ...titles(step)])].join(", then ");
}

/** The Jobs after a step in the text of {@link orderWithJobs}. @param step - @default those before all steps */
export function jobsInOrder(order: string, step?: UpgradeStep): string[] {
    const parts = order.split(", then ");
    const start = step === undefined ? 0 : parts.indexOf(upgradeSteps[step].title) + 1;
    const others = parts.slice(start);
    const end = others.findIndex((part) => !part.startsWith(title));
    return end < 0 ? others : others.slice(0, end);
}
