import { checkShape, type Schema } from "../cluster/check-shape";

/**
 * Checks a stack's configuration.
 *
 * @param isSecret - whether the value of a top-level key must not be shown
 * @returns the configuration with strings where a number or a boolean stands for one, and a line for each error:
 * `tradewind:<key> must be <legal> (got <value>)`
 */
export function checkConfig(schema: Schema, config: unknown, isSecret?: (key: string) => boolean) {
    return checkShape(schema, config, { prefix: "tradewind:", isSecret });
}
