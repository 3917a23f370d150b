import { withoutByteOrderMark } from "./byte-order-mark";
import { type Config, specVersion } from "./config";
import { assertValid } from "./validate";

/**
 * Parses a JSON config of specification 3.0 to 3.5 and upgrades it to the newest. Throws on anything that Ignition
 * would refuse.
 */
export function parse(text: string): Config {
    const config = read(text);
    assertValid(config);
    // Each of these specifications only adds to the previous one.
    return { ...config, ignition: { ...config.ignition, version: specVersion } };
}

function read(text: string): Config {
    try {
        return JSON.parse(withoutByteOrderMark(text)) as Config;
    } catch (error) {
        throw new Error(`config must be Ignition JSON (got ${JSON.stringify(text.slice(0, 40))}): ${error}`);
    }
}
