import { resolve } from "node:path";
import ts from "typescript";
import type { Schema } from "../../cluster/check-shape";
import { PROJECT_DIR } from "../../local/pulumi";
import { type Comment, readComment } from "./comments";

/** A JSON schema with the comments of options. */
export interface CommentedSchema extends Schema {
    readonly comment?: Comment;
    /** Name of an interface. @default none */
    readonly typeName?: string;
    readonly properties?: Readonly<Record<string, CommentedSchema>>;
    readonly additionalProperties?: CommentedSchema | false;
    readonly items?: CommentedSchema;
    readonly anyOf?: readonly CommentedSchema[];
}

/**
 * JSON schemas of interfaces of options, by the interfaces' names.
 *
 * @param files - by the names of the interfaces in them
 * @throws if an option has no comment, or a type that a configuration cannot have
 */
export function optionSchemas(files: Readonly<Record<string, string>>): Record<string, CommentedSchema> {
    const schemas = interfaceSchemas(files);
    for (const [name, schema] of Object.entries(schemas)) requireComments(schema, name);
    return schemas;
}

/** The same for interfaces whose options may lack comments. */
export function interfaceSchemas(files: Readonly<Record<string, string>>): Record<string, CommentedSchema> {
    const pathOf = (name: string) => resolve(PROJECT_DIR, files[name]!);
    const names = Object.keys(files);
    const options: ts.CompilerOptions = { strict: true, lib: ["lib.es2022.d.ts"], types: [] };
    const host = ts.createCompilerHost(options);
    // Options are types of our own, and the SDKs' types take seconds to load.
    host.resolveModuleNameLiterals = (imports, from) =>
        imports.map(({ text }) => {
            if (text.startsWith(".")) return ts.resolveModuleName(text, from, options, host);
            const isPulumi = text === "@pulumi/pulumi";
            return { resolvedModule: isPulumi ? { resolvedFileName: pulumiStub, extension: ".ts" } : undefined };
        });
    const { getSourceFile, fileExists } = host;
    host.fileExists = (name) => name === pulumiStub || fileExists(name);
    host.getSourceFile = (name, version, ...others) =>
        name === pulumiStub
            ? ts.createSourceFile(name, pulumiTypes, version)
            : getSourceFile.call(host, name, version, ...others);
    const program = ts.createProgram([...new Set(names.map(pathOf))], options, host);
    const checker = program.getTypeChecker();
    return Object.fromEntries(
        names.map((name) => {
            const interfaces = program.getSourceFile(pathOf(name))!.statements.filter(ts.isInterfaceDeclaration);
            const node = interfaces.find((each) => each.name.text === name)!;
            return [name, schemaOf(checker, checker.getTypeAtLocation(node), name)];
        }),
    );
}

/** Stands for Pulumi's SDK, of which options only need that an input may be an output. */
const pulumiStub = resolve(PROJECT_DIR, "pulumi-stub.ts");
const pulumiTypes = `
export interface OutputInstance<T> { readonly isOutput: T }
export type Input<T> = T | OutputInstance<T>;
`;

/** Whether a type is an output, which is known late. */
function isOutput(type: ts.Type): boolean {
    return type.symbol?.name === "OutputInstance";
}

function requireComments({ properties = {}, additionalProperties, items, anyOf = [] }: CommentedSchema, path: string) {
    for (const [name, each] of Object.entries(properties)) {
        if (!each.comment!.text) throw new Error(`${path}.${name} has no description: add a comment`);
        requireComments(each, `${path}.${name}`);
    }
    for (const each of [additionalProperties, items, ...anyOf]) if (each) requireComments(each, path);
}

/** Sizes and counts are whole; a number that may also be text is any number. */
function schemaOf(checker: ts.TypeChecker, given: ts.Type, path: string): CommentedSchema {
    const type = checker.getNonNullableType(given);
    if (type.isUnion() && type.types.some(isOutput)) {
        const values = type.types.filter((each) => !isOutput(each));
        const known = values.map((each) => schemaOf(checker, each, path));
        return { ...(known.length === 1 ? known[0] : unionOf(known)), late: true };
    }
    if (type.flags & ts.TypeFlags.BooleanLike) return { type: "boolean" };
    if (type.flags & ts.TypeFlags.String) return { type: "string" };
    if (type.flags & ts.TypeFlags.Number) return { type: "integer" };
    if (type.isStringLiteral()) return { enum: [type.value] };
    if (type.isUnion()) return unionOf(type.types.map((each) => schemaOf(checker, each, path)));
    if (checker.isArrayType(type)) {
        const [item] = checker.getTypeArguments(type as ts.TypeReference);
        return { type: "array", items: schemaOf(checker, item!, `${path}[]`) };
    }
    const values = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (values) return { type: "object", additionalProperties: schemaOf(checker, values, `${path}.*`) };
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) {
        throw new Error(`${path} must be of a type that a configuration has (got ${checker.typeToString(type)})`);
    }
    const members = checker.getPropertiesOfType(type);
    const required = members.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional)).map(({ name }) => name);
    const isNamed = type.symbol?.flags & ts.SymbolFlags.Interface;
    return {
        type: "object",
        ...(isNamed && { typeName: type.symbol.name }),
        properties: Object.fromEntries(
            members.map((member) => [member.name, propertyOf(checker, member, `${path}.${member.name}`)]),
        ),
        ...(required.length > 0 && { required }),
        additionalProperties: false,
    };
}

/** Members of different types, or one list of their values. */
function unionOf(members: readonly CommentedSchema[]): CommentedSchema {
    const types = new Set(members.flatMap(({ type }) => type ?? []));
    if (types.has("string")) return { type: ["string", "number", "boolean"] };
    if (members.every((each) => each.enum)) return { enum: members.flatMap((each) => each.enum!) };
    return { anyOf: members };
}

function propertyOf(checker: ts.TypeChecker, member: ts.Symbol, path: string): CommentedSchema {
    const [node] = member.declarations as ts.PropertySignature[];
    const own = commentOf(node!);
    // An object documented by its own type needs no further comment.
    const ofType = () => checker.getTypeFromTypeNode(node!.type!).symbol?.declarations?.[0];
    const comment = own.text ? own : commentOf(ofType() ?? node!);
    return { ...schemaOf(checker, checker.getTypeOfSymbol(member), path), ...comment.checks, comment };
}

function commentOf(node: ts.Node): Comment {
    const comment = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1);
    return readComment(comment ? comment.getText().replace(/^\/\*\*|\*\/$/g, "") : "");
}
