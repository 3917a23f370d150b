import { parse } from "yaml";

/**
 * Contents of a YAML file, with merge keys (`<<`), as Pulumi and kubectl read it.
 *
 * @param what - the file, for the error: its further lines would quote the file, which may have secrets
 */
export function parseYaml(what: string, text: string): unknown {
    try {
        return parse(text, { merge: true });
    } catch (error) {
        throw new Error(`${what} must be valid YAML: ${firstLine(error as Error)}`);
    }
}

export function firstLine({ message }: Error): string {
    return message.split("\n")[0]!.replace(/:$/, "");
}
