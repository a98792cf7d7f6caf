// SPDX-License-Identifier: BSD-2-Clause
#include "setup/execute.h"

#include "base/arena.h"
#include "base/beneath.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EDITED_MAX_BYTES ((size_t)4 << 20)

/* Files of the steps lie below the tree's working directory: recipes cannot name others. */
static bool below_work(const struct plan_tree *tree, const char *path)
{
	size_t size = strlen(tree->work);

	return strncmp(path, tree->work, size) == 0 && path[size] == '/' && !strstr(path, "/../");
}

/* What was built may have put links there: those that lead out of the tree's working directory are
 * followed by no step on a file, which may run with more rights than the build. */
static bool leads_out(const struct plan_tree *tree, const char *path)
{
	const char *relative = path + strlen(tree->work) + 1;
	scoped_fd int work = open(tree->work, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct beneath top = beneath_of(work);

	top.strict = true;
	scoped_fd int fd = work < 0 ? -1 : beneath_open(&top, relative, O_PATH);
	return fd < 0 && errno == EXDEV;
}

static const char *join_lines(struct arena *arena, const struct names *lines)
{
	struct buffer text = buffer_new(arena, EDITED_MAX_BYTES);

	for (size_t i = 0; i < lines->count; i++)
		buffer_printf(&text, "%s\n", lines->items[i]);
	return buffer_string(&text);
}

/* The directories of a path that are not there yet. */
static bool make_parents(struct arena *arena, const struct plan_tree *tree, const char *path,
			 struct error *err)
{
	char *copy = arena_strdup(arena, path);

	for (char *at = copy + strlen(tree->work) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		if (mkdir(copy, 0755) < 0 && errno != EEXIST)
			return error_errno(err, errno, "%s", copy);
		*at = '/';
	}
	return true;
}

static bool put_file(struct execution *execution, const struct plan_tree *tree, const char *path,
		     const char *text, struct error *err)
{
	return make_parents(execution->arena, tree, path, err) &&
	       file_write(path, view_of(text), err) &&
	       (chmod(path, 0644) == 0 || error_errno(err, errno, "%s", path));
}

/* Behind the one line that equals `after`. */
static bool insert_lines(struct arena *arena, const struct plan_step *step, struct view text,
			 const char **out, struct error *err)
{
	struct buffer result = buffer_new(arena, EDITED_MAX_BYTES);
	struct view rest = text, line;
	unsigned found = 0;

	while (view_line(&rest, &line)) {
		buffer_add(&result, line.at, line.size);
		buffer_char(&result, '\n');
		if (!view_is(line, step->after))
			continue;
		found++;
		buffer_text(&result, join_lines(arena, &step->lines));
	}
	if (found != 1 || result.full)
		return error_set(err, "%s: the line '%s' is there %u times, want once", step->path,
				 step->after, found);
	*out = buffer_string(&result);
	return true;
}

static bool replace_text(struct arena *arena, const struct plan_step *step, struct view text,
			 const char **out, struct error *err)
{
	struct buffer result = buffer_new(arena, EDITED_MAX_BYTES);
	size_t size = strlen(step->replace);
	struct view rest = text;
	const char *at;
	unsigned found = 0;

	while ((at = view_find(rest, step->replace))) {
		buffer_add(&result, rest.at, (size_t)(at - rest.at));
		buffer_text(&result, step->by);
		rest.size -= (size_t)(at - rest.at) + size;
		rest.at = at + size;
		found++;
	}
	buffer_add(&result, rest.at, rest.size);
	if (!found || result.full)
		return error_set(err, "%s: the text '%s' is not there", step->path, step->replace);
	*out = buffer_string(&result);
	return true;
}

static bool edit(struct execution *execution, const struct plan_tree *tree,
		 const struct plan_step *step, struct error *err)
{
	const char *changed = NULL;
	struct view text;

	if (step->unless_file && file_exists(step->unless_file))
		return true;
	if (!file_read(execution->arena, step->path, EDITED_MAX_BYTES, &text, err))
		return false;
	if (step->after ? !insert_lines(execution->arena, step, text, &changed, err)
			: !replace_text(execution->arena, step, text, &changed, err))
		return false;
	return put_file(execution, tree, step->path, changed, err);
}

static bool has_line(struct view text, const char *wanted)
{
	struct view line;

	while (view_line(&text, &line)) {
		if (view_is(view_trim(line), wanted))
			return true;
	}
	return false;
}

static bool check(struct execution *execution, const struct plan_step *step, struct error *err)
{
	struct view text;

	if (!file_read(execution->arena, step->path, EDITED_MAX_BYTES, &text, err))
		return false;
	for (size_t i = 0; i < step->lines.count; i++) {
		if (!has_line(text, step->lines.items[i]))
			return error_set(err, "%s: '%s' is missing", step->path,
					 step->lines.items[i]);
	}
	return true;
}

static bool run(struct execution *execution, const struct plan_tree *tree,
		const struct plan_step *step, int log, struct error *err)
{
	struct arena *arena = execution->arena;
	struct names argv = step->argv, environment = {0};
	struct sandbox_job job = {.in = step->in, .log = log, .environment = &environment};
	int status;

	for (size_t i = 0; i < tree->environment.count; i++)
		names_add(arena, &environment, tree->environment.items[i]);
	for (size_t i = 0; i < step->environment.count; i++)
		names_add(arena, &environment, step->environment.items[i]);
	names_add(arena, &argv, NULL);
	job.argv = argv.items;
	job.home = arena_printf(arena, "%s/home", tree->work);
	dprintf(log, "+ %s\n", names_join(arena, &step->argv, " "));
	if (!sandbox_run(execution->sandbox, arena, &job, &status, err))
		return false;
	if (status > 128)
		return error_set(err, "%s was ended by signal %d", step->argv.items[0],
				 status - 128);
	return status == 0 ||
	       error_set(err, "%s ended with status %d", step->argv.items[0], status);
}

static bool make_link(struct execution *execution, const struct plan_tree *tree,
		      const struct plan_step *step, struct error *err)
{
	const char *target = step->lines.items[0];

	for (size_t i = step->lines.count; i > 0; i--) {
		if (file_exists(step->lines.items[i - 1]))
			target = step->lines.items[i - 1];
	}
	return make_parents(execution->arena, tree, step->path, err) &&
	       (symlink(target, step->path) == 0 || error_errno(err, errno, "%s", step->path));
}

/* A step on a file, as the user of the build. */
struct file_step {
	struct execution *execution;
	const struct plan_tree *tree;
	const struct plan_step *step;
};

static bool do_file_step(void *context, struct error *err)
{
	const struct file_step *job = context;
	const struct plan_step *step = job->step;
	struct arena *arena = job->execution->arena;
	const char *slash = strrchr(step->path, '/');
	const char *place = step->kind == STEP_WRITE
				    ? arena_copy(arena, step->path, (size_t)(slash - step->path))
				    : step->path;

	if (leads_out(job->tree, place))
		return error_set(err, "%s: a link that leads out of the build", place);
	switch (step->kind) {
	case STEP_WRITE:
		return put_file(job->execution, job->tree, step->path,
				join_lines(arena, &step->lines), err);
	case STEP_LINK:
		return make_link(job->execution, job->tree, step, err);
	case STEP_EDIT:
		return edit(job->execution, job->tree, step, err);
	case STEP_CHECK:
		return check(job->execution, step, err);
	case STEP_RUN:
		break;
	}
	return error_set(err, "%s: no step on a file", step->name);
}

bool execute_step(struct execution *execution, const struct plan_tree *tree,
		  const struct plan_step *step, int log, struct error *err)
{
	struct file_step job = {execution, tree, step};

	if (step->kind == STEP_RUN)
		return run(execution, tree, step, log, err);
	if (!below_work(tree, step->path))
		return error_set(err, "step %s: %s is outside of the build", step->name,
				 step->path);
	dprintf(log, "+ %s %s\n", plan_step_word(step->kind), step->path);
	return sandbox_call(execution->sandbox, do_file_step, &job, err);
}
