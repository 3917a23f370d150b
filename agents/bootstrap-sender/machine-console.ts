import { stripVTControlCharacters } from "node:util";
import { awsCredentials } from "../clean-up/aws/credentials";
import { awsQuery } from "../clean-up/aws/query";
import { describeError } from "../common/api-error";
import { elementsAt } from "../common/xml-tree";
import type { MachineConsole } from "./delivery";

const mostLines = 40;

/** What a machine's console shows, where this computer may ask for it; else how to look. */
export async function consoleOf(
    machine: MachineConsole | undefined,
    env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
    if (machine === undefined) return "its console tells more";
    const { byHand, ec2 } = machine;
    if (ec2 === undefined) return `its console tells more: ${byHand}`;
    try {
        const shown = await shownByEc2(ec2, env);
        return shown ? `its console (${byHand}):\n${shown}` : `its console shows nothing yet: ${byHand}`;
    } catch (error) {
        return `its console tells more: ${byHand} (not asked for here: ${describeError(error)})`;
    }
}

async function shownByEc2({ region, instanceId }: Required<MachineConsole>["ec2"], env: NodeJS.ProcessEnv) {
    const query = awsQuery(region, await awsCredentials(env), env.AWS_ENDPOINT_URL);
    // Without `Latest` it is what there was some minutes after the boot; instances that are not of Nitro have no other.
    const of = { InstanceId: instanceId };
    const answer = await query("ec2", "GetConsoleOutput", { ...of, Latest: "true" }).catch(() =>
        query("ec2", "GetConsoleOutput", of),
    );
    const [output] = elementsAt(answer, "output");
    const text = Buffer.from(output?.text ?? "", "base64").toString();
    const lines = stripVTControlCharacters(text)
        .split(/\r*\n/)
        .filter((line) => line.trim() !== "");
    return [...ownWords(lines), ...lines.slice(-mostLines)].join("\n");
}

/** What the machine said last of what it waits for, where units that end and start again have drowned it. See `bootConsole`. */
function ownWords(lines: readonly string[]): string[] {
    // journald puts a time, and the program and its process before what goes to a console.
    const isOwn = (line: string) => /^(\[[^\]]*\] )?([\w-]+\[\d+\]: )?tradewind: /.test(line);
    const begin = lines.findLastIndex((line) => isOwn(line) && line.endsWith(" s after its boot"));
    const drowned = begin < 0 ? [] : lines.slice(begin, -mostLines).filter(isOwn);
    return drowned.length > 0 ? [...drowned, "…"] : [];
}
