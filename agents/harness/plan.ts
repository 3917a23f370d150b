import { readFileSync } from "node:fs";
import type { Ec2Place } from "../../clients/aws/ec2-instances";

/** The plan is invalid. */
export class InvalidPlan extends Error {
    override readonly name = "InvalidPlan";
}

/** Reads an agent's plan. Throws one error with everything that `findProblems` finds wrong with it. */
export function readPlanFile<Plan>(path: string, findProblems: (plan: Plan) => readonly string[]): Plan {
    let plan: Plan;
    try {
        plan = JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
        throw new InvalidPlan(`${path} must be a JSON file: ${(error as Error).message}`);
    }
    const problems = findProblems(plan);
    if (problems.length > 0) {
        throw new InvalidPlan(`${path}: ${problems.join("; ")}`);
    }
    return plan;
}

/** Whether a value is valid, its path, what is valid, and the actual value. */
export type Check = readonly [isLegal: boolean, path: string, legal: string, got: unknown];

/** Problems of the failed checks. */
export function problemsOf(checks: readonly Check[]): string[] {
    return checks
        .filter(([isLegal]) => !isLegal)
        .map(([, path, legal, got]) => `${path} must be ${legal}, got ${JSON.stringify(got)}`);
}

export function isText(value: unknown): value is string {
    return typeof value === "string" && value !== "";
}

/** Whether it is a URL of the scheme without a path. */
export function isUrl(scheme: "http" | "https", value: unknown): value is string {
    return isText(value) && new RegExp(`^${scheme}://[^/]+$`).test(value);
}

export function isAbsolutePath(value: unknown): value is string {
    return isText(value) && value.startsWith("/");
}

/** Whether it is a regular expression from `^` to `$`. */
export function isWholePattern(value: unknown): value is string {
    try {
        return isText(value) && /^\^.*\$$/.test(value) && new RegExp(value) instanceof RegExp;
    } catch {
        return false;
    }
}

/** Checks of an EC2 endpoint in a plan. @param path - prefix of the names */
export function ec2Checks({ ec2, region }: Ec2Place, path = ""): Check[] {
    return [
        [isUrl("https", ec2), `${path}ec2`, "an https:// URL without a path", ec2],
        [isText(region), `${path}region`, "a name", region],
    ];
}
