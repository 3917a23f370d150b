import { parseCommandLine } from "../parse-command-line";
import { pictureFile } from "../picture/file";
import { clusterName } from "../start-options";

export interface TimelineOptions {
    /** @default that of KUBECONFIG, else the only cluster of this computer */
    readonly name?: string;
    /** What `pulumi up --event-log` wrote, of any stack, in the place of what lies beside a cluster's state. */
    readonly events?: string;
    /** A file with a prober's tallies. */
    readonly requests?: string;
    /** Where the picture goes; `-` is standard output. @default - after the cluster, here */
    readonly output?: string;
    readonly isHelp: boolean;
}

export const TIMELINE_HELP = `A picture as SVG of how long what took: the boot of a cluster of this computer, and its last change by npm start or
npm run pulumi -- up, an upgrade say; each stage, each node and each resource as a bar from when to when. Of a cluster on a
cloud: one run of pulumi up, by its event log.

Usage: tradewind timeline [options]

  --name NAME            the cluster (default: that of $KUBECONFIG, else the one of this computer, or of the
                         events, if there is just one)
  --events FILE          what PULUMI_DEBUG_COMMANDS=true pulumi up --event-log FILE wrote, of a stack on a cloud
  --requests FILE        what a prober saw of the API meanwhile, to be shown underneath (default: what npm start saw)
  --output, -o FILE.svg  where it goes; - is standard output (default: <cluster>-timeline.svg)
  --help, -h

It reads what they wrote down beside the cluster's state, or the file, and asks nobody.
`;

/** Parses and checks the command line. Throws `--<option> must be <legal>, got <value>`. */
export function parseTimelineOptions(args: readonly string[]): TimelineOptions {
    const string = { type: "string" } as const;
    const {
        name,
        events,
        requests,
        output,
        help = false,
    } = parseCommandLine("tradewind timeline --help", {
        args: [...args],
        options: {
            name: string,
            events: string,
            requests: string,
            output: { type: "string", short: "o" },
            help: { type: "boolean", short: "h" },
        },
    }).values;
    return {
        name: name === undefined || events !== undefined ? name : clusterName(name),
        events,
        requests,
        output: output === undefined ? undefined : pictureFile(output),
        isHelp: help,
    };
}
