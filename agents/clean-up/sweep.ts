import type { ApiClient } from "../../clients/kubernetes/api-client";
import { describeError, isNotFound } from "../../clients/kubernetes/api-error";
import { Timeout, waitFor } from "../harness/wait";
import { awsAccess } from "./aws";
import { digitalOceanAccess } from "./digitalocean";
import type { CloudAccess, CloudPlace } from "./leftover";
import { cleanUpMarker } from "./request";

/** What who destroys a dead cluster wants of what it left in the cloud. */
export const choiceVariable = "TRADEWIND_LEFTOVERS";

const choices = ["delete-volumes", "keep-volumes", "leave"] as const;

export type Choice = (typeof choices)[number];

export interface Sweep {
    readonly access: () => Promise<CloudAccess>;
    /** @default - load balancers go, and volumes that are there are asked about */
    readonly choice?: Choice;
    readonly print: (line: string) => void;
    readonly timeoutSeconds: number;
    /** Commands that find and delete the same by hand. */
    readonly findByHand: readonly string[];
}

/** @throws when it is not one of those that there are. */
export function choiceOf(env: NodeJS.ProcessEnv = process.env): Choice | undefined {
    const value = env[choiceVariable];
    if (!value) return undefined;
    const choice = choices.find((each) => each === value);
    if (!choice) throw new Error(`${choiceVariable} must be ${choices.join(", ")}, got ${value}`);
    return choice;
}

/** The cloud of a place, as this computer may ask it. */
export function accessTo(place: CloudPlace): Promise<CloudAccess> {
    return place.kind === "aws" ? awsAccess(place) : digitalOceanAccess(place);
}

/**
 * Deletes in the cloud what a cluster made there that can't be asked any more.
 *
 * Of its volumes nobody knows which were to be retained: whoever destroys it says so.
 *
 * @throws when the cloud can't be asked, when volumes are there of which nothing was said, or when something is left.
 */
export async function sweep({ access, choice, print, timeoutSeconds, findByHand }: Sweep): Promise<void> {
    const byHand = ["By hand, these commands find and delete it:", ...findByHand.map((line) => `    ${line}`)];
    const cloud = await access().catch((error) => {
        throw told("what it left in the cloud can't be looked for:", [describeError(error), ...byHand, leave]);
    });
    const found = await cloud.find().catch((error) => {
        throw told("what it left in the cloud can't be looked for:", [describeError(error), ...byHand, leave]);
    });
    const volumes = found.filter(({ isVolume }) => isVolume);
    if (volumes.length > 0 && choice === undefined) throw told(whichVolumes, [...volumes.map(inList), whatToSay]);
    const asked = new Set<string>();
    const look = async () => {
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
        const passing = () => look().catch(describeError);
        await waitFor(patience, "what the cluster made to go", passing, { everyMilliseconds: 500, slowTo: 10_000 });
    } catch (error) {
        if (error instanceof Timeout) throw told(error.message, [...byHand, leave]);
        throw error;
    }
    if (choice !== "delete-volumes") for (const { words } of volumes) print(`kept: ${words}`);
    print("nothing else that the cluster made is left in its cloud");
}

const whichVolumes =
    "volumes of the cluster are left in the cloud, and only the cluster knew which were to be retained. Nothing is deleted yet:";
const whatToSay = `Destroy again with ${choiceVariable}=delete-volumes, by which they go with all that is on them, or with ${choiceVariable}=keep-volumes.`;
const leave = `To destroy all the same, and leave it behind: ${choiceVariable}=leave. A network with such a load balancer is not deleted.`;

const inList = ({ words }: { readonly words: string }) => `    ${words}`;

function told(first: string, lines: readonly string[]): Error {
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
            // Whatever is wrong with it, the cluster goes on.
            failurePolicy: "Ignore",
            matchConstraints: {
                resourceRules: [
                    resources(["CREATE"], "persistentvolumeclaims"),
                    resources(["CREATE", "UPDATE"], "services"),
                ],
            },
            validations: [
                {
                    // Those that are there are taken away by an update of their finalizers.
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

/** Has the API refuse whatever would make something in the cloud anew: controllers in the cluster go on meanwhile. */
export async function refuseNew(api: ApiClient): Promise<void> {
    for (const kind of kinds) {
        const body = {
            apiVersion: "admissionregistration.k8s.io/v1",
            metadata: { name: cleanUpMarker },
            ...objects[kind],
        };
        const query = `fieldManager=${cleanUpMarker}&force=true`;
        const contentType = "application/apply-patch+yaml";
        await api.call(`${group}/${kind}/${cleanUpMarker}?${query}`, { method: "PATCH", body, contentType });
    }
}

/** Takes that back. */
export async function allowNew(api: ApiClient): Promise<void> {
    for (const kind of [...kinds].reverse()) {
        await api.call(`${group}/${kind}/${cleanUpMarker}`, { method: "DELETE" }).catch((error) => {
            if (!isNotFound(error)) throw error;
        });
    }
}
