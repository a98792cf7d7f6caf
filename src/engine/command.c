// SPDX-License-Identifier: BSD-2-Clause
#include "engine/command.h"

#include "base/arena.h"

#include <ctype.h>
#include <string.h>

#define WORDS_MAX 512
#define BEFORE_MAX 16

static const char *const runners[] = {
	"sudo",      "doas",     "env",      "nice",     "ionice",  "chrt",       "taskset",
	"numactl",   "time",     "exec",     "nohup",    "timeout", "perf",       "stat",
	"setarch",   "strace",   "setsid",   "docker",   "run",     "Run",        "##[group]Run",
	"[command]", "stdbuf",   "ssh",      "xargs",    "if",      "then",       "do",
	"while",     "for",      "command",  "-",        "+",       "++",         "cmd:",
	"Command:",  "command:", "CMD:",     "Running:", "Running", "Executing:", "Executing",
	"cgexec",    "PS",       "unbuffer", "script",   "!",       "{",          "(",
	"cd",        "&&",       ";"};

static bool is_known(const char *word, const char *const *known, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(word, known[i]) == 0)
			return true;
	}
	return false;
}

/* "/opt/bin/openssl", and "user@host:~$openssl" of a prompt without a blank. */
static const char *base_name(const char *word)
{
	const char *slash = strrchr(word, '/'), *name = slash ? slash + 1 : word;
	const char *prompt = strpbrk(name, "$#%");

	return prompt && prompt[1] && strchr(word, '@') ? prompt + 1 : name;
}

/* A word that may stand before a program: a prompt, a runner, its option or number, a path, a
 * variable. */
static bool may_precede(const char *word)
{
	size_t size = strlen(word);
	char last = size ? word[size - 1] : '\0';

	return strchr("$#%>)]:;&", last) || word[0] == '-' || isdigit((unsigned char)word[0]) ||
	       strchr(word, '=') || strchr(word, '/') || strchr(word, '@') || word[0] == '[' ||
	       word[0] == '~' || word[0] == '(' || strncmp(word, "qemu-", 5) == 0 ||
	       is_known(base_name(word), runners, sizeof(runners) / sizeof(runners[0])) ||
	       (unsigned char)word[0] >= 0x80;
}

/* Quotes and the marks of Markdown do not belong to a word. */
static const char *word_of(struct arena *arena, struct view word)
{
	while (word.size && strchr("\"'`", word.at[0]))
		word.at++, word.size--;
	while (word.size && strchr("\"'`", word.at[word.size - 1]))
		word.size--;
	if (view_starts(word, "[command]"))
		word.at += 9, word.size -= 9;
	return view_copy(arena, word);
}

/* Which program begins at this word, and how many words its name takes. */
static const char *engine_at(const struct names *words, size_t i, size_t *taken)
{
	const char *name = base_name(words->items[i]);
	const char *next = i + 1 < words->count ? words->items[i + 1] : "";

	*taken = 1;
	if (strcmp(name, "dpdk-test-crypto-perf") == 0 ||
	    strcmp(name, "dpdk-test-crypto-perf.exe") == 0)
		return next[0] == '[' ? NULL : "dpdk-crypto-perf";
	if (strcmp(name, "speed") == 0 && i && strcmp(words->items[i - 1], "OpenSSL>") == 0)
		return "openssl-speed";
	*taken = 2;
	if (strcmp(next, "speed") != 0)
		return NULL;
	if (strncmp(name, "openssl", 7) == 0 || strcmp(name, "tongsuo") == 0 ||
	    strncmp(name, "libressl", 8) == 0)
		return "openssl-speed";
	return strcmp(name, "bssl") == 0 ? "bssl-speed" : NULL;
}

static bool has_dash(const char *word)
{
	static const char *const dashes[] = {"\xe2\x80\x90", "\xe2\x80\x91", "\xe2\x80\x92",
					     "\xe2\x80\x93", "\xe2\x80\x94", "\xe2\x80\x95",
					     "\xe2\x88\x92"};

	for (size_t i = 0; i < sizeof(dashes) / sizeof(dashes[0]); i++) {
		if (strncmp(word, dashes[i], strlen(dashes[i])) == 0)
			return true;
	}
	return false;
}

/* Words behind these belong to the shell, not to the program. */
static bool ends_command(const char *word)
{
	return word[0] == '|' || word[0] == '>' || word[0] == ';' || word[0] == '#' ||
	       strcmp(word, "&&") == 0 || strcmp(word, "&") == 0 || strncmp(word, "2>", 2) == 0 ||
	       word[0] == '(' || strcmp(word, "||") == 0 || word[0] == '<';
}

static void take(struct arena *arena, const struct names *words, size_t from,
		 struct engine_command *out)
{
	out->complete = true;
	for (size_t i = from; i < words->count && !ends_command(words->items[i]); i++) {
		const char *word = words->items[i];

		if (strcmp(word, "\\") == 0)
			continue;
		if (strcmp(word, "...") == 0 || strcmp(word, "\xe2\x80\xa6") == 0 ||
		    strpbrk(word, "$`"))
			out->complete = false;
		if (!out->dash && has_dash(word))
			out->dash = word;
		names_add(arena, &out->words, word);
	}
}

bool engine_command_read(struct arena *arena, struct view line, struct engine_command *out)
{
	struct engine_command command = {0};
	struct names words = {0};
	struct view word;

	if (!view_find(line, "dpdk-test-crypto-perf") &&
	    (!view_find(line, "speed") ||
	     (!view_find(line, "ssl") && !view_find(line, "SSL>") && !view_find(line, "tongsuo"))))
		return false;
	while (words.count < WORDS_MAX && view_word(&line, &word))
		names_add(arena, &words, word_of(arena, word));
	for (size_t i = 0; i < words.count && i <= BEFORE_MAX; i++) {
		size_t taken;

		command.engine = engine_at(&words, i, &taken);
		if (command.engine) {
			take(arena, &words, i + taken, &command);
			*out = command;
			return true;
		}
		/* "-cpu max": the value of a runner's option. */
		if (!may_precede(words.items[i]) && !(i && words.items[i - 1][0] == '-'))
			return false;
		names_add(arena, &command.before, words.items[i]);
	}
	return false;
}

/* The name of an option behind its dashes and where its value begins; NULL: no option. */
static const char *option_name(const char *word, size_t *size)
{
	const char *name = word, *equal;

	while (*name == '-')
		name++;
	if (name == word || !*name)
		return NULL;
	equal = strchr(name, '=');
	*size = equal ? (size_t)(equal - name) : strlen(name);
	return name;
}

static const char *find(const struct engine_command *command, const char *name, bool value)
{
	const char *found = NULL;

	for (size_t i = 0; i < command->words.count; i++) {
		size_t size;
		const char *option = option_name(command->words.items[i], &size);

		if (!option || size != strlen(name) || strncmp(option, name, size) != 0)
			continue;
		if (option[size] == '=' || !value)
			found = option[size] == '=' ? option + size + 1 : option;
		else if (i + 1 < command->words.count)
			found = command->words.items[i + 1];
	}
	return found;
}

const char *engine_command_value(const struct engine_command *command, const char *name)
{
	const char *value = find(command, name, true);

	/* What a variable of a script stood for is not known. */
	return value && strpbrk(value, "$`") ? NULL : value;
}

bool engine_command_has(const struct engine_command *command, const char *name)
{
	return find(command, name, false) != NULL;
}
