import { readFileSync } from "node:fs";

/** The plan is not what the agent understands. */
export class InvalidPlan extends Error {
    override readonly name = "InvalidPlan";
}

/** An agent's plan, or an error with everything that `problemsOf` finds wrong with it. */
export function readPlanFile<Plan>(path: string, problemsOf: (plan: Plan) => readonly string[]): Plan {
    let plan: Plan;
    try {
        plan = JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
        throw new InvalidPlan(`${path} must be a JSON file: ${(error as Error).message}`);
    }
    const problems = problemsOf(plan);
    if (problems.length > 0) {
        throw new InvalidPlan(`${path}: ${problems.join("; ")}`);
    }
    return plan;
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
