import { type AdmissionRefusal, admissionRefusal } from "../common/admission-refusal";
import type { ApiClient } from "../common/api-client";
import { choiceVariable } from "./sweep";

const registration = "/apis/admissionregistration.k8s.io/v1";
const configurations = ["validatingwebhookconfiguration", "mutatingwebhookconfiguration"] as const;

/** Seconds: what was just removed, or has just started, may decide for a moment more. */
const patienceSeconds = 60;

interface Configurations {
    readonly items?: readonly {
        readonly metadata: { readonly name: string };
        readonly webhooks?: readonly { readonly name: string }[];
    }[];
}

/** Counts for how long the API has refused to delete anything because of a webhook or a policy. */
export class NotAdmitted {
    #since?: number;

    constructor(private readonly seconds = patienceSeconds) {}

    /** Whether this refusal is one too many; an error of another kind ends the count. */
    isFinal(refusal: AdmissionRefusal | undefined, now = performance.now()): boolean {
        this.#since = refusal === undefined ? undefined : (this.#since ?? now);
        return this.#since !== undefined && now - this.#since >= this.seconds * 1000;
    }
}

/** What an error of the API says of admission. */
export function refusalIn(error: unknown): AdmissionRefusal | undefined {
    return admissionRefusal((error as Error).message ?? "");
}

/** The error of a clean-up that a webhook or a policy keeps from its work. @param left - what is left, in words */
export async function notAdmitted(
    api: ApiClient,
    { kind, name, detail }: AdmissionRefusal,
    left: readonly string[],
): Promise<Error> {
    const isWebhook = kind === "webhook" || kind === "webhook-failure";
    const what = isWebhook ? `webhook ${name}` : `${kind} ${name ?? ""}`.trim();
    const commands = isWebhook
        ? await removals(api, name)
        : [`kubectl delete ${kind === "mutating-policy" ? "mutating" : "validating"}admissionpolicybinding ${name}`];
    return new Error(
        [
            `the API refuses to delete what the cluster made in its cloud: ${what}: ${detail}`,
            `Left: ${left.join("; ")}`,
            "To remove what refuses it, and then destroy again:",
            ...commands.map((line) => `    ${line}`),
            `To leave these behind, destroy again with ${choiceVariable}=leave.`,
        ].join("\n"),
    );
}

async function removals(api: ApiClient, webhook: string | undefined): Promise<string[]> {
    const found = await Promise.all(
        configurations.map(async (kind) => {
            const { items = [] } = await api
                .call<Configurations>(`${registration}/${kind}s`)
                .catch((): Configurations => ({}));
            return items
                .filter(({ webhooks = [] }) => webhooks.some(({ name }) => name === webhook))
                .map(({ metadata }) => `kubectl delete ${kind} ${metadata.name}`);
        }),
    );
    const commands = found.flat();
    return commands.length > 0 ? commands : [`kubectl get ${configurations.map((kind) => `${kind}s`).join(",")}`];
}
