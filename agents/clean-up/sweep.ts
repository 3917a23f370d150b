import { type ApiClient, patch, remove } from "../../clients/kubernetes/api-client";
import { describeError } from "../../clients/kubernetes/api-error";
import { Timeout, waitFor } from "../harness/wait";
import type { CloudAccess } from "./leftover";
import { cleanUpMarker } from "./request";

/** What to do about a dead cluster's leftovers in the cloud. */
export const choiceVariable = "TRADEWIND_LEFTOVERS";

const choices = ["delete-volumes", "keep-volumes", "leave"] as const;

export type Choice = (typeof choices)[number];

export interface Sweep {
    readonly access: () => Promise<CloudAccess>;
    /** @default - load balancers are deleted; the run fails with a question if there are volumes */
    readonly choice?: Choice;
    readonly print: (line: string) => void;
    readonly timeoutSeconds: number;
    /** Commands that list and delete the same manually. */
    readonly findByHand: readonly string[];
}

/** @throws if it is not a known choice */
export function choiceOf(env: NodeJS.ProcessEnv = process.env): Choice | undefined {
    const value = env[choiceVariable];
    if (!value) return undefined;
    const choice = choices.find((each) => each === value);
    if (!choice) throw new Error(`${choiceVariable} must be ${choices.join(", ")} (got ${value})`);
    return choice;
}

/**
 * Deletes in the cloud what an unreachable cluster created there.
 *
 * Which of its volumes were to be retained is unknown: the user must decide.
 *
 * @throws if the cloud can't be reached, if there are volumes without a decision, or if something is left
 */
export async function sweep({ access, choice, print, timeoutSeconds, findByHand }: Sweep): Promise<void> {
    const byHand = ["These commands list and delete it manually:", ...findByHand.map((line) => `    ${line}`)];
    const cloud = await access().catch((error) => {
        throw errorOf("cannot search the cloud for what it left:", [describeError(error), ...byHand, leave]);
    });
    const found = await cloud.find().catch((error) => {
        throw errorOf("cannot search the cloud for what it left:", [describeError(error), ...byHand, leave]);
    });
    const volumes = found.filter(({ isVolume }) => isVolume);
    if (volumes.length > 0 && choice === undefined) throw errorOf(whichVolumes, [...volumes.map(inList), whatToSay]);
    const asked = new Set<string>();
    const observe = async () => {
        const all = await cloud.find();
        const left: string[] = [];
        for (const { words, isVolume, remove } of all) {
            if (isVolume && choice !== "delete-volumes") continue;
            if (!asked.has(words)) print(`deleting ${words}`);
            asked.add(words);
            const why = await remove().then(() => undefined, describeError);
            left.push(why === undefined ? words : `${words} (${why})`);
        }
        return left.length > 0 ? left.join("; ") : undefined;
    };
    const patience = { deadline: performance.now() + timeoutSeconds * 1000, report: print };
    try {
        const passing = () => observe().catch(describeError);
        await waitFor(patience, "the cluster's cloud resources to be deleted", passing, {
            everyMilliseconds: 500,
            slowTo: 10_000,
        });
    } catch (error) {
        if (error instanceof Timeout) throw errorOf(error.message, [...byHand, leave]);
        throw error;
    }
    if (choice !== "delete-volumes") for (const { words } of volumes) print(`kept: ${words}`);
    print("the cluster has no other resources left in its cloud");
}

const whichVolumes =
    "volumes of the cluster are left in the cloud, and only the cluster knew which to retain. Nothing has been deleted yet:";
const whatToSay = `Destroy again with ${choiceVariable}=delete-volumes, which deletes them and all their data, or with ${choiceVariable}=keep-volumes.`;
const leave = `To destroy anyway and leave it behind: ${choiceVariable}=leave. A network with such a load balancer is not deleted.`;

const inList = ({ words }: { readonly words: string }) => `    ${words}`;

function errorOf(first: string, lines: readonly string[]): Error {
    return new Error([first, ...lines].join("\n"));
}

const group = "/apis/admissionregistration.k8s.io/v1";
const kinds = ["validatingadmissionpolicies", "validatingadmissionpolicybindings"] as const;
const undo = `kubectl delete ${kinds.map((kind) => `${kind.replace(/ies$/, "y").replace(/s$/, "")}/${cleanUpMarker}`).join(" ")}`;

const resources = (operations: string[], ...names: string[]) => ({
    apiGroups: [""],
    apiVersions: ["v1"],
    operations,
    resources: names,
});

const objects = {
    validatingadmissionpolicies: {
        kind: "ValidatingAdmissionPolicy",
        spec: {
            // If the policy is broken, the cluster must go on working.
            failurePolicy: "Ignore",
            matchConstraints: {
                resourceRules: [
                    resources(["CREATE"], "persistentvolumeclaims"),
                    resources(["CREATE", "UPDATE"], "services"),
                ],
            },
            validations: [
                {
                    // Existing ones are removed by an update of their finalizers.
                    expression: [
                        "request.kind.kind == 'Service' &&",
                        "(!has(object.spec.type) || object.spec.type != 'LoadBalancer' ||",
                        "(oldObject != null && has(oldObject.spec.type) && oldObject.spec.type == 'LoadBalancer'))",
                    ].join(" "),
                    message: `the cluster is being destroyed, and makes nothing more in its cloud; to keep it: ${undo}`,
                },
            ],
        },
    },
    validatingadmissionpolicybindings: {
        kind: "ValidatingAdmissionPolicyBinding",
        spec: { policyName: cleanUpMarker, validationActions: ["Deny"] },
    },
};

/** Makes the API refuse whatever would create cloud resources: controllers in the cluster keep running. */
export async function refuseNew(api: ApiClient): Promise<void> {
    for (const kind of kinds) {
        const body = {
            apiVersion: "admissionregistration.k8s.io/v1",
            metadata: { name: cleanUpMarker },
            ...objects[kind],
        };
        const query = `fieldManager=${cleanUpMarker}&force=true`;
        await patch(api, `${group}/${kind}/${cleanUpMarker}?${query}`, "apply", body);
    }
}

/** Removes that policy. */
export async function allowNew(api: ApiClient): Promise<void> {
    for (const kind of [...kinds].reverse()) {
        await remove(api, `${group}/${kind}/${cleanUpMarker}`);
    }
}
