import { UsageError } from "../usage-error";

/** Long for 64 digits, short for whoever waits. */
const timeoutMilliseconds = 30_000;

/**
 * A SHA-256 as it is published beside its file. Whoever answers is believed: TLS is what vouches for it.
 *
 * @param protocol - that every answer has to come by, after redirections too
 */
export async function fetchChecksum(url: string, protocol = "https:"): Promise<string> {
    const text = await answerOf(url, protocol);
    if (!/^[0-9a-f]{64}$/.test(text)) {
        throw new UsageError(
            `${url} must be a SHA-256 of 64 hexadecimal digits, got ${JSON.stringify(text.slice(0, 80))}`,
        );
    }
    return text;
}

async function answerOf(url: string, protocol: string, redirections = 5): Promise<string> {
    if (new URL(url).protocol !== protocol) {
        throw new UsageError(`${url} must be asked by ${protocol}//: its checksum is not fetched`);
    }
    try {
        const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(timeoutMilliseconds) });
        const location = answer.headers.get("location");
        if (answer.status >= 300 && answer.status < 400 && location !== null && redirections > 0) {
            return await answerOf(new URL(location, url).href, protocol, redirections - 1);
        }
        if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`);
        return (await answer.text()).trim();
    } catch (error) {
        if (error instanceof UsageError) throw error;
        const { message, cause } = error as Error;
        const why = cause instanceof Error ? cause.message : message;
        throw new UsageError(`${url} could not be fetched: ${why}`);
    }
}
