import { COMMANDS, overview } from "../../cli/tradewind";
import { START_HELP } from "../../local/options";

/** The reference of the commands, as Markdown: what each says of itself. */
export function commandsReference(): string {
    const sections = [
        ["npm start", START_HELP],
        ["tradewind", overview()],
        ...Object.entries(COMMANDS).map(([name, { load }]) => [`tradewind ${name}`, load().help]),
    ];
    return [INTRODUCTION, ...sections.map(([name, help]) => `## ${name}\n\n\`\`\`\n${help!.trim()}\n\`\`\`\n`)].join(
        "\n",
    );
}

const INTRODUCTION = `# Reference of the commands

What \`--help\` says of each. Made by \`npm run reference\`: not to be edited. In a checkout \`tradewind\` is \`npm run tradewind --\`.
`;
