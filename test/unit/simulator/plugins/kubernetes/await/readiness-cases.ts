import assert from "node:assert/strict";
import type { Surroundings } from "../../../../../../simulator/plugins/kubernetes/await/readiness";
import { ruleFor } from "../../../../../../simulator/plugins/kubernetes/await/rules";
import type { KubernetesObject } from "../../../../../../simulator/plugins/kubernetes/object";

export interface ReadinessCase {
    readonly title: string;
    readonly object: object;
    readonly surroundings?: Partial<Surroundings>;
    readonly message: RegExp;
    readonly outcome: "ready" | "waiting" | "failed";
}

const NOTHING: Surroundings = { list: async () => [], get: async () => undefined };

/** Tests when objects of a kind (`apps/v1 DaemonSet`) are ready. */
export function describeReadiness(kind: string, cases: ReadinessCase[]): void {
    describe(`a ${kind.split(" ")[1]}`, () => {
        for (const { title, object, message, outcome, surroundings } of cases) {
            it(`${title} is ${outcome}`, async () => {
                const [apiVersion, kindName] = kind.split(" ");
                const whole: KubernetesObject = { apiVersion, kind: kindName, ...object };
                const readiness = await ruleFor(whole)?.check(whole, { ...NOTHING, ...surroundings });
                assert.match(readiness?.message ?? "no rule", message);
                const found = readiness?.isReady ? "ready" : readiness?.hasFailed ? "failed" : "waiting";
                assert.equal(found, outcome);
            });
        }
    });
}

/** A workload of generation 2. */
export function workload(spec: object, status: object): object {
    return { metadata: { generation: 2 }, spec, status };
}

/** A workload's status after its controller has processed generation 2. */
export const observed = { observedGeneration: 2 };

export function condition(type: string, status: string, reason = "Why", message = "so") {
    return { type, status, reason, message };
}
