import type { CisCheck, TestItem } from "../../dev/reference/cis";

/** Runs a shell script on a machine; what it prints. */
export type RunScript = (script: string) => Promise<string>;

/**
 * Why a check fails on a machine; undefined if it passes. Judges as kube-bench does, for the operators that our checks
 * use.
 */
export async function cisProblem(check: CisCheck, run: RunScript): Promise<string | undefined> {
    const output = check.audit ? await run(check.audit) : "";
    const config = check.audit_config ? JSON.parse(await run(check.audit_config)) : undefined;
    // A check of nothing would always pass.
    if (output.trim() === "") return "the audit printed nothing";
    const { bin_op: operator = "and", test_items: items } = check.tests!;
    const parts = check.use_multiple_values ? output.trim().split("\n") : [output];
    const failed = parts.filter((part) => {
        const results = items.map((item) => holds(item, part, config));
        return operator === "and" ? results.includes(false) : !results.includes(true);
    });
    return failed.length > 0 ? `${JSON.stringify(items)} does not hold for ${failed.join("; ")}` : undefined;
}

function holds({ flag, path, set = true, compare }: TestItem, output: string, config: unknown): boolean {
    const value = flagOf(output, flag) ?? (path === undefined ? undefined : valueAt(config, path));
    if (value === undefined || !set) return (value !== undefined) === set;
    return compare === undefined || compares(compare.op, value, compare.value);
}

function flagOf(output: string, flag: string): string | undefined {
    const found = new RegExp(`(?:^|\\s)${flag}(?:=(\\S*))?(?=\\s|$)`, "m").exec(output);
    return found === null ? undefined : (found[1] ?? "");
}

function valueAt(config: unknown, path: string): string | undefined {
    const keys = path.replace(/^\{\.|\}$/g, "").split(".");
    const value = keys.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], config);
    return value === undefined ? undefined : String(value);
}

function compares(operator: string, value: string, wanted: string): boolean {
    switch (operator) {
        case "eq":
            return value === wanted;
        case "noteq":
            return value !== wanted;
        case "has":
            return value.includes(wanted);
        case "nothave":
            return !value.includes(wanted);
        case "gte":
            return Number(value) >= Number(wanted);
        case "bitmask":
            // No permission that the mask lacks.
            return (Number.parseInt(value, 8) & ~Number.parseInt(wanted, 8)) === 0;
        default:
            throw new Error(`op must be one that the checks use, got ${operator}`);
    }
}
