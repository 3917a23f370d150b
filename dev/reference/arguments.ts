import type { Schema } from "../../cluster/check-shape";
import { cloudNames, clouds } from "../../cluster/clouds";
import { type CommentedSchema, interfaceSchemas } from "./option-schema";

const COMPONENTS: Readonly<Record<string, string>> = {
    ...Object.fromEntries(cloudNames.map((name) => [clouds[name].component, `components/${name}/cluster.ts`])),
    LocalCluster: "components/local/cluster.ts",
};

/**
 * `components/arguments.json`, by which components check their arguments: only names and types, since values are checked
 * where they are read. Interfaces are in `shared`, by their names.
 *
 * @throws if two interfaces have the same name
 */
export function argumentSchema(): string {
    const shared: Record<string, Schema> = {};
    const share = (name: string, schema: Schema): Schema => {
        if (shared[name] && JSON.stringify(shared[name]) !== JSON.stringify(schema)) {
            throw new Error(`arguments must be of interfaces with different names (got two ${name})`);
        }
        shared[name] = schema;
        return { $ref: name };
    };
    const shapeOf = (given: CommentedSchema): Schema => {
        const { type, enum: values, anyOf, properties, required, additionalProperties, items, typeName, late } = given;
        if (values) return { type: "string" };
        if (anyOf) return { anyOf: anyOf.map(shapeOf) };
        const shape = {
            type: type === "integer" ? ("number" as const) : type,
            ...(properties && { properties: mapped(properties) }),
            ...(required && { required }),
            ...(additionalProperties && { additionalProperties: shapeOf(additionalProperties) }),
            ...(items && { items: shapeOf(items) }),
        };
        return { ...(typeName ? share(typeName, shape) : shape), ...(late && { late }) };
    };
    const mapped = (properties: Readonly<Record<string, CommentedSchema>>) =>
        Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, shapeOf(each)]));
    const files = Object.entries(COMPONENTS).map(([component, file]) => [`${component}Args`, file]);
    const schemas = interfaceSchemas(Object.fromEntries(files));
    const roots = Object.keys(COMPONENTS).map((component) => {
        const { typeName: _, ...schema } = schemas[`${component}Args`]!;
        return [component, shapeOf(schema)];
    });
    return `${JSON.stringify({ components: Object.fromEntries(roots), shared }, undefined, 4)}\n`;
}
