import { type UpdateChannel, updateChannels } from "../../components/cluster/update-channel";
import { parseCommandLine } from "../parse-command-line";
import { clusterName } from "../start-options";
import { invalidOption } from "../usage-error";

export interface UpdatesOptions {
    /** Stacks' configuration files. @default - those of the project in this folder */
    readonly files: readonly string[];
    /** A cluster of this computer. */
    readonly name?: string;
    /** For every file, in the place of its own. */
    readonly channel?: UpdateChannel;
    readonly isWrite: boolean;
    readonly output: "text" | "json";
    readonly isHelp: boolean;
}

export const UPDATES_HELP = `Which newer Kubernetes a stack may have, as a change of its configuration to be reviewed.

Usage: tradewind updates [options] [FILE...]

  FILE                    a stack's configuration: Pulumi.<stack>.yaml
                          (default: those of the Pulumi project in this folder)
  --name NAME             the configuration of a cluster of this computer
  --channel CHANNEL       patch: the newest patch of its minor version; minor: of the next one too; none
                          (default: updateChannel of each file, which is none if it has none)
  --write                 write the new version into the files; else they are left as they are
  --output, -o FORM       text or json (default: text)
  --help, -h

Versions are those that this release of Tradewind has pinned; nothing is asked for over the network, and no cluster
is touched: that is for pulumi preview and pulumi up, once the change is reviewed.
`;

/** Parses and checks the command line. Throws `--<option> must be <legal>, got <value>`. */
export function parseUpdatesOptions(args: readonly string[]): UpdatesOptions {
    const { values, positionals } = parse(args);
    const { name, channel, write = false, output = "text", help = false } = values;
    if (channel !== undefined && !updateChannels.includes(channel as UpdateChannel)) {
        throw invalidOption("--channel", updateChannels.join(", "), channel);
    }
    if (output !== "text" && output !== "json") {
        throw invalidOption("--output", "text or json", output);
    }
    if (name !== undefined && positionals.length > 0) {
        throw invalidOption("--name", "given without a FILE", positionals[0]);
    }
    return {
        files: positionals,
        name: name === undefined ? undefined : clusterName(name),
        channel: channel as UpdateChannel | undefined,
        isWrite: write,
        output,
        isHelp: help,
    };
}

function parse(args: readonly string[]) {
    const string = { type: "string" } as const;
    return parseCommandLine("tradewind updates --help", {
        args: [...args],
        allowPositionals: true,
        options: {
            name: string,
            channel: string,
            write: { type: "boolean" },
            output: { type: "string", short: "o" },
            help: { type: "boolean", short: "h" },
        },
    });
}
