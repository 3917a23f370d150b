import type { ClusterState } from "../local/state";

/** Global options of the CLI that take a value as the next argument. */
const withValues = [
    "--color",
    "--cwd",
    "-C",
    "--memprofilerate",
    "--otel-traces",
    "--profiling",
    "--tracing",
    "--verbose",
    "-v",
];

/** The same command line with its command first, as all checks expect it. */
export function commandFirst(args: readonly string[]): string[] {
    let at = 0;
    while (args[at]?.startsWith("-")) at += withValues.includes(args[at]!) ? 2 : 1;
    // Only options, such as --version.
    if (at >= args.length) return [...args];
    return [args[at]!, ...args.slice(0, at), ...args.slice(at + 1)];
}

/** The command and its subcommand. */
function words([command = "", ...others]: readonly string[]): string {
    const at = others.findIndex((arg, index) => !arg.startsWith("-") && !withValues.includes(others[index - 1] ?? ""));
    return at < 0 ? command : `${command} ${others[at]}`;
}

/**
 * Pulumi would write a configuration file of this cluster into the checkout, or lose the one in its state.
 *
 * @throws Error with what to do instead
 */
export function requireSupported(args: readonly string[], { name, dir, passphrase }: ClusterState): void {
    const instead: Readonly<Record<string, string>> = {
        "stack change-secrets-provider": `every command reads the passphrase from ${passphrase}, which must fit the state and the configuration next to it. To protect them otherwise, restrict or encrypt ${dir}; for other keys of the cluster see docs/key-rotation.md`,
        "stack init": `npm start -- --name ${name} creates the stack`,
        "stack new": `npm start -- --name ${name} creates the stack`,
        "stack select": "--name chooses the cluster in each command",
        new: `npm start -- --name ${name} creates the stack`,
        "config cp":
            "each cluster has a backend of its own; copy the keys with npm run pulumi -- --name OTHER config set",
        "config env": "environments need Pulumi Cloud",
    };
    const said = instead[words(args)] ?? (args[0] === "new" ? instead.new : undefined);
    if (said !== undefined) throw new Error(`pulumi ${words(args)} is not supported for the cluster ${name}: ${said}`);
}

/** Keeps the CLI from removing a configuration of the checkout that has the cluster's name. */
export function withoutRemoval(args: readonly string[]): string[] {
    const removes =
        words(args) === "stack rm" ||
        (["destroy", "down", "dn"].includes(args[0] ?? "") && args.some((arg) => /^--remove(=true)?$/.test(arg)));
    return removes && !args.includes("--preserve-config") ? [...args, "--preserve-config"] : [...args];
}

/** Commands that need no program, and write a new salt if they find no configuration next to the project. */
export function isInStateFolder(args: readonly string[]): boolean {
    return words(args) === "stack history" || args[0] === "history";
}
