import { programs } from "../../components/cluster/flag-checks";
import { flagRules } from "../../components/cluster/flag-rules";
import type { FlagRule } from "../../components/cluster/flag-rules/rule";
import { markdownTable } from "./markdown-table";

/** What `components` may do to flags, as Markdown. */
export function flagsReference(): string {
    const sections = Object.entries(programs).map(([component, program]) => {
        const rows = Object.entries(flagRules[program]).map(([flag, rule]) => [`\`${flag}\``, ...described(rule)]);
        const sorted = rows.sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
        return `## \`components.${component}\`\n\n${markdownTable(["Flag", "Rule", "Reason", "Use instead"], sorted)}\n`;
    });
    return [INTRODUCTION, ...sections].join("\n");
}

function described(rule: FlagRule): string[] {
    const words = { owned: "refused", checked: "checked", merged: "added", free: "yours" };
    const instead = rule.kind === "owned" ? (rule.instead ?? "no option") : "";
    return [words[rule.kind], rule.why, instead];
}

const INTRODUCTION = `# Reference of flags

What [\`components\`](reference.md#on-every-cloud) may do to the flags of each program. Made by \`npm run reference\` from the rules that a preview uses: not to be edited.
A flag that is not listed is yours, if the program has it ([flags](upgrades.md#flags)). \`*\` stands for any letters.

${markdownTable(
    ["Rule", "Meaning"],
    [
        [
            "refused",
            "Tradewind sets it or depends on its default: it carries identity, CAs, keys, etcd, authentication or authorization",
        ],
        ["checked", "yours, except for values that would remove a protection or contradict other options"],
        ["added", "a list: your entries are added to those of Tradewind"],
        ["yours", "Tradewind sets it, and your value replaces that"],
    ],
)}

A preview refuses such flags and values, and nothing overrides it. If a cluster already has one, take it out of the configuration
(\`pulumi config rm --path tradewind:components.kubeApiserver.anonymous-auth\`) and preview what changes. Without its
\`service-account-issuer\` a cluster no longer accepts the tokens that its pods have: the kubelets replace them within an hour, or restart the pods.
kube-proxy has no flags of yours: [\`kubeProxyMode\`](reference.md#on-every-cloud) is its option.
`;
