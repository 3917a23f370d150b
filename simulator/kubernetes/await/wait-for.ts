import { annotationOf } from "../annotations";
import type { KubernetesObject } from "../object";
import { conditionOf } from "./controller";
import { type Rule, ready, TEN_MINUTES, waiting } from "./readiness";

/**
 * What the annotation `pulumi.com/waitFor` asks for: one expression or a JSON array of them, each
 * `condition=Type`, `condition=Type=Status`, `jsonpath={.status.phase}` or `jsonpath={.status.phase}=Running`.
 */
export function waitedFor(inputs: KubernetesObject): Rule | undefined {
    const text = annotationOf(inputs, "waitFor");
    if (!text) return undefined;
    const expressions = text.trimStart().startsWith("[") ? (JSON.parse(text) as string[]) : [text];
    const isMet = expressions.map(parse);
    return {
        timeout: TEN_MINUTES,
        check(object) {
            const unmet = expressions.filter((_, i) => !isMet[i](object));
            return unmet.length
                ? waiting(`Waiting for ${unmet.join(", ")}`)
                : ready("all that was waited for is there");
        },
    };
}

function parse(expression: string): (object: KubernetesObject) => boolean {
    const [, kind, left, right] = /^(condition|jsonpath)=(\{[^}]*\}|[^=]+)(?:=(.*))?$/.exec(expression) ?? [];
    if (kind === "condition") {
        const status = (right ?? "True").toLowerCase();
        return (object) => String(conditionOf(object, left)?.status).toLowerCase() === status;
    }
    const steps = kind && /^\{((?:\.[\w-]+|\[\d+\])+)\}$/.exec(left)?.[1].match(/[\w-]+/g);
    if (!steps) {
        throw new Error(`pulumi.com/waitFor must be condition=Type or jsonpath={.path.to.field}, got ${expression}`);
    }
    return (object) => {
        const value = steps.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)?.[step], object);
        return right === undefined ? value !== undefined && value !== null : String(value) === right;
    };
}
